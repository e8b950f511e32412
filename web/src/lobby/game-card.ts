/** A game, as a picture on the wall: what it is, at a glance, and what to do with it. */

import * as api from "../api";
import { h, once, SIGNS, sign } from "../dom";
import { drawing } from "../drawing";
import { isHere } from "../house";
import { t } from "../language";
import { showOpenTable } from "../pages/open-table";
import type { GameView } from "../protocol";
import { playButton } from "./play-button";

export function gameCard(game: GameView): HTMLElement {
  const friends = t(game.seats[1] > 1 && !isHere ? "withFriends" : "openTable");
  return h(
    "li",
    { class: "framed", "data-testid": `game-${game.name}` },
    h(
      "a",
      { class: "frame", href: `/rules/${game.name}`, tabindex: "-1", "aria-hidden": "true" },
      drawing(api.picture(game.name)),
    ),
    h("div", { class: "about" }, h("h2", { class: "plate" }, game.title), h("p", {}, game.summary), glance(game)),
    h(
      "div",
      { class: "row" },
      playButton(game),
      game.lesson && h("a", { href: `/learn/${game.name}`, class: "button quiet", "data-testid": "learn" }, t("learn")),
      h(
        "button",
        { type: "button", class: "quiet", "data-testid": "open-table", onclick: once(() => showOpenTable(game)) },
        friends,
      ),
      h("a", { href: `/rules/${game.name}`, class: "link" }, t("rules")),
    ),
  );
}

/** Small signs: how many play, how long it takes, how hard it is, and what decides it. */
function glance({ seats: [least, high], glance: told }: GameView): HTMLElement {
  const low = Math.max(least, 1); // where nobody plays, there is nothing to do
  const seats = low === high ? t("seatsExactly", { count: low }) : t("seatsRange", { low, high });
  const signs = [sign(SIGNS.seats, low === high ? String(low) : `${low}–${high}`, seats)];
  if (told) {
    const [short, most] = told.minutes;
    const minutes = short === most ? String(short) : `${short}–${most}`;
    const long = short === most ? t("minutesExactly", { count: short }) : t("minutesRange", { low: short, high: most });
    signs.push(
      sign(SIGNS.minutes, t("minutesShort", { minutes }), long),
      sign(SIGNS.difficulty, t(`difficulty_${told.difficulty}`)),
      sign(SIGNS[told.luck], t(`luck_${told.luck}`)),
    );
  }
  return h("ul", { class: "glance", "data-testid": "glance" }, ...signs);
}
