/** How the match ended, and what comes next: the last thing that one sees of it, so it should be worth seeing. */

import { fill, h, once, s } from "../dom";
import { t } from "../language";
import { isReduced } from "../motion";
import type { TableView } from "../protocol";
import { order, type Result, standings, verdict } from "../result";
import { settings } from "../storage";
import { sentence, signed } from "../text";
import { seatBadge } from "./seats";

const FEW = 4; // winners whose signs are shown
const LEAVES = [-62, -38, -14, 10, 34]; // degrees, from the middle of a twig to its end

/** What the table knows of its end. */
function resultOf({ ending, seats, scored }: TableView): Result {
  const names = seats.map((seat) => seat.name);
  return { ending, names, scores: seats.map((seat) => seat.score), scored };
}

function headingOf({ ending, you }: TableView): string {
  if (!ending || you === null || ending.winners.length === 0) return t("matchOver");
  return t(ending.winners.includes(you) ? "youWin" : "youLose");
}

/** What decided it: the last that happened by the rules. How it ended otherwise, the verdict says. */
function howText({ ending, story }: TableView, told: string): string {
  const last = sentence(story.at(-1) ?? "");
  return ending?.reason === "rules" && last !== told ? last : "";
}

/** How you did, where that is more than to have won or lost. */
function placeText({ you, seats, scored }: TableView, result: Result): string {
  const mine = you === null ? undefined : seats[you];
  if (!mine || !scored || seats.length < 2) return ""; // without scores, all who have not won are alike
  const place = order(result).find(({ seat }) => seat === mine.seat)?.place ?? 1;
  const words = { place, count: seats.length, score: signed(mine.score) };
  return t("yourPlaceAndScore", words);
}

export class EndingCard {
  readonly element = h("section", { class: "card ending", hidden: true, "data-testid": "ending", role: "status" });

  private shown = "";

  /** `hasLesson`: whether the game can be learnt here. */
  constructor(
    private readonly rematch: () => Promise<void>,
    private readonly hasLesson: boolean,
  ) {}

  render(table: TableView): void {
    const isNew = this.element.hidden && table.phase === "over";
    this.element.hidden = table.phase !== "over";
    const now = JSON.stringify([table.ending, table.rematch, table.you, table.seats.map((seat) => seat.name)]);
    if (!table.ending || now === this.shown) return; // so that no button goes from under a finger
    this.shown = now;
    const result = resultOf(table);
    const told = verdict(table.ending, result.names);
    const won = table.you !== null && table.ending.winners.includes(table.you);
    this.element.classList.toggle("is-won", won);
    this.element.classList.toggle("is-moving", isNew && settings().speed !== "off" && !isReduced());
    fill(
      this.element,
      h(
        "div",
        { class: "outcome" },
        laurels(table),
        h(
          "div",
          {},
          h("h2", {}, headingOf(table)),
          h("p", { "data-testid": "verdict" }, told),
          h("p", { "data-testid": "how" }, howText(table, told)),
          h("p", { class: "faint", "data-testid": "your-place" }, placeText(table, result)),
        ),
      ),
      standings(result, table.marks),
      table.rematch !== null && table.you !== null && h("p", { class: "wish" }, t("rematchWaits")),
      this.buttons(table),
    );
  }

  private buttons(table: TableView): HTMLElement {
    const again = !table.old_rules && (table.you !== null || table.rematch !== null);
    const words = t(table.you === null ? "watchRematch" : table.rematch ? "joinRematch" : "rematch");
    const learn = this.hasLesson ? `/learn/${table.game}` : `/rules/${table.game}`;
    return h(
      "div",
      { class: "row" },
      again &&
        h("button", { type: "button", class: "brass", "data-testid": "rematch", onclick: once(this.rematch) }, words),
      h("a", { class: "button quiet", href: `/replay/${table.id}`, "data-testid": "to-replay" }, t("seeReplay")),
      h("a", { class: "button quiet", href: learn, "data-testid": "learn-more" }, t("learnMore")),
      h("a", { class: "button quiet", href: "/" }, t("toLobby")),
    );
  }
}

/** The signs of those who have won, within a wreath; nothing where nobody's sign tells it. */
function laurels({ ending, marks }: TableView): HTMLElement | null {
  const winners = ending?.winners ?? [];
  if (winners.length === 0 || winners.length > FEW) return null;
  const signs = winners.map((seat) => seatBadge(marks[seat]));
  return h("div", { class: "laurels", "aria-hidden": "true" }, twig(), h("span", { class: "row" }, ...signs), twig());
}

function twig(): SVGSVGElement {
  const leaves = LEAVES.map((turn) =>
    s("path", { d: "M0 -26C5 -31 5 -38 0 -43C-5 -38 -5 -31 0 -26Z", transform: `rotate(${turn - 90})` }),
  );
  const outer = LEAVES.map((turn) =>
    s("path", { d: "M0 -24C-4 -17 -10 -15 -15 -16C-13 -22 -7 -25 0 -24Z", transform: `rotate(${turn - 78})` }),
  );
  return s("svg", { viewBox: "-46 -40 32 80", class: "twig" }, ...leaves, ...outer);
}
