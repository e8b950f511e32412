/** How the match ended, and what comes next. */

import { fill, h, once } from "../dom";
import { t } from "../language";
import type { TableView } from "../protocol";
import { type Result, standings, verdict } from "../result";

/** What the table knows of its end. */
function resultOf({ ending, seats, scored }: TableView): Result {
  const names = seats.map((seat) => seat.name);
  return { ending, names, scores: seats.map((seat) => seat.score), scored };
}

export class EndingCard {
  readonly element = h("section", { class: "card ending", hidden: true, "data-testid": "ending", role: "status" });

  private shown = "";

  constructor(private readonly rematch: () => Promise<void>) {}

  render(table: TableView): void {
    this.element.hidden = table.phase !== "over";
    const now = JSON.stringify([table.ending, table.rematch, table.you, table.seats.map((seat) => seat.name)]);
    if (!table.ending || now === this.shown) return; // so that no button goes from under a finger
    this.shown = now;
    const result = resultOf(table);
    const won = table.you !== null && table.ending.winners.includes(table.you);
    const again = !table.old_rules && (table.you !== null || table.rematch !== null);
    const words = t(table.you === null ? "watchRematch" : table.rematch ? "joinRematch" : "rematch");
    fill(
      this.element,
      h("p", { class: "ornament", "aria-hidden": "true" }, won ? "❦ ★ ❦" : "❦"),
      h("h2", {}, won ? t("youWin") : t("matchOver")),
      h("p", { "data-testid": "verdict" }, verdict(table.ending, result.names)),
      standings(result),
      table.rematch !== null && table.you !== null && h("p", { class: "wish" }, t("rematchWaits")),
      h(
        "div",
        { class: "row" },
        again &&
          h("button", { type: "button", class: "brass", "data-testid": "rematch", onclick: once(this.rematch) }, words),
        h("a", { class: "button quiet", href: `/replay/${table.id}`, "data-testid": "to-replay" }, t("seeReplay")),
        h("a", { class: "button quiet", href: "/" }, t("toLobby")),
      ),
    );
  }
}
