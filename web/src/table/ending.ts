/** How the match ended, and what comes next. */

import { fill, h, once } from "../dom";
import { joinNames, t } from "../language";
import type { Ending, TableView } from "../protocol";

const FEW = 4; // winners that are named

/** How it ended, in words. */
export function endingText({ reason, winners, text }: Ending, names: readonly string[]): string {
  if (reason === "upgrade") return t("endUpgrade");
  if (reason === "operator") return text; // in their own words
  if (reason === "agreed") return t("endAgreed");
  if (winners.length === 0) return t("endNobody");
  if (winners.length > FEW) return t("endMany", { count: winners.length });
  const who = joinNames(winners.map((seat) => names[seat] ?? ""));
  if (reason === "resigned") return t("endResigned", { names: who });
  return t(winners.length > 1 ? "endSeveral" : "endOne", { names: who });
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
    const won = table.you !== null && table.ending.winners.includes(table.you);
    const again = !table.old_rules && (table.you !== null || table.rematch !== null);
    const words = table.you === null ? t("watchRematch") : t("rematch");
    fill(
      this.element,
      h("p", { class: "ornament", "aria-hidden": "true" }, won ? "❦ ★ ❦" : "❦"),
      h("h2", {}, won ? t("youWin") : t("matchOver")),
      h(
        "p",
        {},
        endingText(
          table.ending,
          table.seats.map((seat) => seat.name),
        ),
      ),
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
