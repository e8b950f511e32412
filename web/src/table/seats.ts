/** The seats: who sits there, their score, their clock, and whether they are here. */

import { fill, h } from "../dom";
import { t } from "../language";
import type { Mark, SeatView, TableView } from "../protocol";
import { sound } from "../sound";
import { signed } from "../text";
import { awaited, hasChosen, isPlaying, type Model, timeLeft } from "./model";

const CROWD = 6; // seats that fit beside the board
const SHORT = 10; // seconds that are left, from which on one should hurry

/** The sign of a seat: its letter and its colour in the game's pictures. */
export function seatBadge(mark: Mark | undefined): HTMLElement {
  const element = h("span", { class: "chair", "aria-hidden": "true" }, mark?.letter ?? "");
  if (mark) Object.assign(element.style, { backgroundColor: mark.colour, color: mark.ink });
  return element;
}

export class Seats {
  readonly element = h("ol", { class: "seats", "data-testid": "seats", "aria-label": t("seats") });

  private isShort = false; // your own time

  /** `names` is how the game calls its seats. */
  constructor(readonly names: readonly string[]) {
    new ResizeObserver(() => this.showTurn()).observe(this.element); // a phone that is turned, for example
  }

  render(model: Model): void {
    fill(this.element, ...sorted(model.table).map((seat) => this.seat(model, seat)));
    this.element.classList.toggle("is-crowd", model.table.seats.length > CROWD);
    this.showTurn();
  }

  /** Bring whose turn it is into sight, in a list that is scrolled by itself. The page stays where it is. */
  private showTurn(): void {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = this.element;
    const scrolls = scrollWidth > clientWidth || scrollHeight > clientHeight;
    this.element.tabIndex = scrolls ? 0 : -1; // keys scroll it, too
    const seat = this.element.querySelector<HTMLElement>(".is-turn");
    if (!seat) return;
    const list = this.element.getBoundingClientRect();
    const box = seat.getBoundingClientRect();
    const beyond = (start: number, end: number, from: number, to: number): number =>
      start < from ? start - from : Math.max(0, end - to);
    this.element.scrollTop += beyond(box.top, box.bottom, list.top, list.bottom);
    this.element.scrollLeft += beyond(box.left, box.right, list.left, list.right);
  }

  /** Let the clocks run: by how things are, whatever still moves on the board. */
  tick(model: Model): void {
    if (model.table.clock.kind === "none") return;
    for (const clock of this.element.querySelectorAll<HTMLElement>("[data-clock]")) {
      const left = timeLeft(model, Number(clock.dataset.clock), performance.now());
      const text = left === null ? "" : shown(left);
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("is-short", left !== null && left < SHORT);
    }
    this.warn(model);
  }

  /** Whoever thinks for long hears once that their time runs out. */
  private warn(model: Model): void {
    const { clock, you } = model.table;
    const left = you === null || !isPlaying(model.table) ? null : timeLeft(model, you, performance.now());
    const isShort = left !== null && left > 0 && left < Math.min(SHORT, (clock.seconds ?? 0) / 2);
    if (isShort && !this.isShort) sound("clock");
    this.isShort = isShort;
  }

  private seat(model: Model, seat: SeatView): HTMLElement {
    const { table } = model;
    const isTurn = awaited(table).includes(seat.seat);
    const won = table.ending?.winners.includes(seat.seat) ?? false;
    const isFree = seat.kind === "free";
    const isWarming = model.warming.includes(seat.seat);
    const classes = [
      "seat",
      isFree && "is-free",
      isTurn && "is-turn",
      won && "is-winner",
      seat.out && "is-out",
      table.you === seat.seat && "is-you",
      isWarming && "is-warming",
    ];
    const left = isFree ? null : timeLeft(model, seat.seat, performance.now()); // nobody's time
    return h(
      "li",
      { class: classes.filter(Boolean).join(" "), "data-seat": seat.seat, "data-testid": `seat-${seat.seat}` },
      badge(table, seat),
      h(
        "span",
        { class: "who" },
        h("b", { "data-you": t("you"), title: seat.name }, seat.name),
        hasChosen(table, seat.seat) && h("span", { class: "has-chosen", title: t("hasChosen") }, "✓"),
        h("small", {}, this.notes(model, seat)),
        isWarming && h("small", { class: "warming", title: t("warmingUp") }, t("warmingUpShort")),
      ),
      left !== null && h("time", { class: "clock", "data-clock": seat.seat }, shown(left)),
      table.phase !== "open" && table.scored && scoreOf(seat.score),
    );
  }

  private notes(model: Model, seat: SeatView): string {
    const { table } = model;
    if (seat.kind === "free") return t("seatFree");
    if (seat.kind === "kept") return t("seatKept");
    if (table.ending?.winners.includes(seat.seat)) return t("winner");
    const notes: string[] = [];
    if (seat.out) notes.push(t("out")); // first: on a phone, what follows may be cut off
    if (table.you === seat.seat) notes.push(t("you"));
    if (seat.kind === "bot") notes.push(t("bot"));
    else if (seat.resigned) notes.push(t("resigned"));
    else if (seat.stand_in) notes.push(t("standIn", { bot: seat.stand_in }));
    else if (!seat.here && table.phase !== "over") notes.push(away(model, seat.seat));
    if (model.warming.includes(seat.seat)) notes.push(t("warmingUp"));
    if (awaited(table).includes(seat.seat)) notes.push(t("toMove"));
    if (hasChosen(table, seat.seat)) notes.push(t("hasChosen"));
    const name = seat.lot ? t("byLot") : this.names[seat.wants ?? seat.seat];
    if (name && seat.kind === "person") notes.push(name); // last: the mark says it, too
    return notes.join(" · ");
  }
}

const scoreOf = (score: number): HTMLElement =>
  h("output", { class: "score", "aria-label": t("score", { score: signed(score) }) }, signed(score));

/** The sign of the seat that somebody will have; of one that is drawn by lot, nobody knows it yet. */
function badge({ marks }: TableView, { seat, lot, wants }: SeatView): HTMLElement {
  return lot ? seatBadge({ letter: "?", colour: "transparent", ink: "inherit" }) : seatBadge(marks[wants ?? seat]);
}

/** The seats, each in its place; where they are many, whoever is you comes first, then the largest. */
export function sorted({ seats, you, phase }: TableView): SeatView[] {
  if (seats.length <= CROWD || phase === "open") return seats;
  const rank = (seat: SeatView): number => (seat.seat === you ? Infinity : seat.score);
  return [...seats].sort((a, b) => (rank(a) === rank(b) ? a.seat - b.seat : rank(b) - rank(a)));
}

function away(model: Model, seat: number): string {
  const grace = model.grace[String(seat)];
  return grace === undefined ? t("away") : t("awayGrace", { seconds: Math.ceil(grace) });
}

/** Seconds as people read them. */
export function shown(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole >= 86400) return `${Math.floor(whole / 86400)} d`;
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const tail = `${String(minutes).padStart(hours ? 2 : 1, "0")}:${String(rest).padStart(2, "0")}`;
  return hours ? `${hours}:${tail}` : tail;
}
