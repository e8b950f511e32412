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
    h("small", {}, company(game)),
  );
}

/** Who sits at the other seats; bots that are all alike have no level. */
function company({ usual_seats, usual_bot, faces }: GameView): string {
  if (usual_seats === 0) return "";
  const bots = usual_seats - 1;
  if (bots === 0) return ` ${t("alone")}`;
  const count = t("countWords").split(" ")[bots] ?? String(bots);
  const level = faces.length > 1 ? faces.find(({ name }) => name === usual_bot)?.title : undefined;
  return ` ${[bots === 1 ? t("againstOne") : t("againstMany", { count }), level].filter(Boolean).join(", ")}`;
}
