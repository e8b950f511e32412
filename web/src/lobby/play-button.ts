/** One press to a match: the button says whom one will meet. */

import { h, once } from "../dom";
import { t } from "../language";
import { playNow } from "../pages/open-table";
import type { GameView } from "../protocol";

export function playButton(game: GameView): HTMLElement {
  return h(
    "button",
    { type: "button", class: "brass play-now", "data-testid": "play-now", onclick: once(() => playNow(game)) },
    h("span", {}, t("playNow")),
    h("small", {}, ` ${company(game, game.usual_seats, game.usual_bot)}`),
  );
}

/** Who sits at the other seats; bots that are all alike have no level. */
export function company({ faces }: GameView, seats: number, bot: string): string {
  if (seats === 0) return "";
  const bots = seats - 1;
  if (bots === 0) return t("alone");
  const count = t("countWords").split(" ")[bots] ?? String(bots);
  const level = faces.length > 1 ? faces.find(({ name }) => name === bot)?.title : undefined;
  return [bots === 1 ? t("againstOne") : t("againstMany", { count }), level].filter(Boolean).join(", ");
}
