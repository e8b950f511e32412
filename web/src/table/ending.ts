/** How the match ended, and what comes next. */

import { fill, h, once } from "../dom";
import { joinNames, t } from "../language";
import type { Ending, SeatView, TableView } from "../protocol";
import { sentence } from "../text";

const FEW = 4; // winners that are named

/** How it ended, as the table tells it: where no seat wins, the rules have the last word. */
function verdict(table: TableView): string {
  const { ending, seats, story } = table;
  if (!ending) return "";
  const last = story.at(-1);
  if (ending.reason === "rules" && ending.winners.length === 0 && last) return sentence(last);
  return endingText(
    ending,
    seats.map((seat) => seat.name),
  );
}

/** Everybody in order, where there is one: winners first, then by score. */
function standings({ seats, scored, ending }: TableView): HTMLElement | null {
  if (!scored || seats.length < 3) return null;
  const won = (seat: SeatView): number => (ending?.winners.includes(seat.seat) ? 1 : 0);
  const order = [...seats].sort((a, b) => won(b) - won(a) || b.score - a.score || a.seat - b.seat);
  const lines = order.map(({ name, score }) => h("li", {}, h("span", {}, name), " ", h("b", {}, String(score))));
  return h("ol", { class: "standings", "data-testid": "standings", tabindex: "0" }, ...lines);
}

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
    const words = t(table.you === null ? "watchRematch" : table.rematch ? "joinRematch" : "rematch");
    fill(
      this.element,
      h("p", { class: "ornament", "aria-hidden": "true" }, won ? "❦ ★ ❦" : "❦"),
      h("h2", {}, won ? t("youWin") : t("matchOver")),
      h("p", {}, verdict(table)),
      standings(table),
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
