/** What you can do now, and the doing of it: picks on the board, buttons under it, orders for many squares. */

import { type Board, NO_MARKS } from "../board";
import { fill, h } from "../dom";
import { type Arrow, arrowOf } from "../geometry";
import { t } from "../language";
import { settings } from "../memory";
import { AMOUNTS, type Amount, Orders } from "../orders";
import { Picking } from "../picks";
import { type Hands, type How, listen } from "../pointer";
import type { Choice, HintLine } from "../protocol";
import { buttons, chooser, confirmation, pad, saying } from "./controls";

/** What of a table matters for choosing. */
export interface Offer {
  ply: number;
  choices: Choice[];
  last: string[];
  status: string;
}

/** Says what was chosen to the server; true once it has happened. */
export type Act = (chosen: { action: number } | { actions: number[] }) => Promise<boolean>;

export class Choosing implements Hands {
  readonly element = h("section", { class: "choosing", "data-testid": "choosing", "aria-label": t("whatYouCanDo") });
  private offer: Offer = { ply: -1, choices: [], last: [], status: "" };
  private picking = new Picking([]);
  private orders = new Orders([]);
  private selected = new Set<string>();
  private amount: Amount = "all";
  private several = false; // clicks select more squares, as with Shift
  private proposed: Choice | null = null; // waits to be confirmed
  private menu: Choice[] = []; // equal picks: which is meant?
  private hints: HintLine[] = [];
  private busy = false;

  constructor(
    private readonly board: Board,
    private readonly act: Act,
  ) {
    listen(board, this);
  }

  /** Other choices, or the same ones again: then what is picked stays picked. */
  set(offer: Offer): void {
    const before = this.offer;
    this.offer = offer;
    const same = offer.ply === before.ply && offer.choices.length === before.choices.length;
    if (!same) this.begin(offer.choices);
    else if (offer.status === before.status) return; // so that no button goes from under a finger
    this.render();
  }

  private begin(choices: Choice[]): void {
    this.busy = false;
    this.picking = new Picking(choices);
    this.orders = new Orders(choices);
    this.selected = new Set([...this.selected].filter((spot) => this.orders.squares.includes(spot)));
    this.proposed = null;
    this.menu = [];
    this.hints = [];
  }

  showHints(hints: HintLine[]): void {
    this.hints = hints;
    this.render();
  }

  // Picks.

  pick(spot: string, { adds, byTouch }: How): void {
    if (this.busy) return;
    const isSquare = this.orders.squares.includes(spot) && this.picking.picked.length === 0;
    if (isSquare && (adds || this.several)) this.toggleSquare(spot);
    else if (this.proposed && spot === this.picking.picked.at(-1)) void this.send(this.proposed);
    else this.goOn(spot, byTouch);
  }

  private goOn(spot: string, byTouch: boolean): void {
    this.proposed = null;
    this.menu = [];
    if (this.picking.named(this.picking.picked).length > 0) this.picking.cancel();
    const outcome = this.picking.pick(spot);
    if (outcome.kind !== "nothing") this.selected.clear();
    if (outcome.kind === "done") this.decide(outcome.choices, byTouch);
    else this.render();
  }

  private decide(choices: Choice[], byTouch: boolean): void {
    const [only] = choices;
    if (choices.length > 1) this.menu = choices;
    else if (only && byTouch && settings().confirm && !only.undoable) this.proposed = only;
    else if (only) return void this.send(only);
    this.render();
    if (this.menu.length > 0) this.element.querySelector<HTMLElement>(".menu input, .menu button")?.focus();
  }

  cancel(): boolean {
    const had = this.picking.cancel().kind === "changed" || this.selected.size > 0 || this.hints.length > 0;
    this.selected.clear();
    this.proposed = null;
    this.menu = [];
    this.hints = [];
    this.render();
    return had;
  }

  private readonly send = async (choice: Choice): Promise<void> => this.say({ action: choice.action });

  private async say(chosen: Parameters<Act>[0]): Promise<void> {
    const { ply } = this.offer;
    this.busy = true;
    this.render();
    const done = await this.act(chosen);
    this.busy = done && this.offer.ply === ply; // what it led to may still be on its way, or moving on the board
    if (!done) this.cancel();
    else this.selected.clear();
    this.render();
  }

  // Dragging.

  canDrag(spot: string): boolean {
    return !this.busy && this.draggable().has(spot);
  }

  lift(spot: string): void {
    this.cancel();
    this.picking.pick(spot);
    this.render();
  }

  drop(spot: string | undefined): void {
    if (spot && this.picking.next().has(spot)) this.goOn(spot, false);
    else this.cancel();
  }

  // Orders for many squares.

  canBand(): boolean {
    return this.orders.exist && !this.busy;
  }

  band(spots: string[]): void {
    this.picking.cancel();
    for (const spot of spots) if (this.orders.squares.includes(spot)) this.selected.add(spot);
    this.render();
  }

  selectAll(): void {
    if (this.orders.exist) this.band(this.orders.squares);
  }

  /** Send the selected squares the way an arrow key points. */
  order(arrow: Arrow): boolean {
    const found = [...this.arrows()].find(([, key]) => key === arrow);
    if (found) this.give(found[0]);
    return found !== undefined;
  }

  private toggleSquare(spot: string): void {
    if (!this.selected.delete(spot)) this.selected.add(spot);
    this.render();
  }

  private get ordered(): Iterable<string> {
    return this.selected.size > 0 ? this.selected : this.picking.picked.slice(0, 1);
  }

  private readonly give = (way: string): void => {
    const actions = this.orders.actions(this.ordered, way, this.amount);
    if (actions.length > 0 && !this.busy) void this.say({ actions });
  };

  /** The arrow key of every way. */
  private arrows(): Map<string, Arrow> {
    const found = new Map<string, Arrow>();
    for (const [way, { from, to }] of this.orders.ways()) {
      const places = this.board.middles([from, to]);
      const [start, end] = [places.get(from), places.get(to)];
      if (start && end) found.set(way, arrowOf(start, end));
    }
    return found;
  }

  // Showing it.

  private render(): void {
    const { picking, offer } = this;
    const first = picking.picked.length === 0;
    const hinted = this.hints[0] ? this.spotsOf(this.hints[0].action) : [];
    this.board.mark({
      ...NO_MARKS,
      open: this.busy ? NO_MARKS.open : picking.open(),
      next: first ? NO_MARKS.next : picking.next(),
      picked: new Set([...picking.picked, ...picking.switched, ...this.selected]),
      last: new Set(offer.last),
      hinted: new Set(hinted),
      drag: this.busy ? NO_MARKS.drag : this.draggable(),
      words: (spot) => picking.labels(spot).slice(0, 2).join(", "),
    });
    fill(this.element, h("p", { class: "status", "data-testid": "status" }, this.status()), ...this.controls());
    this.element.classList.toggle("is-busy", this.busy);
  }

  /** The first spots of choices that have two. */
  private draggable(): Set<string> {
    return new Set(this.picking.kinds.paths.flatMap(({ picks = [] }) => (picks.length > 1 ? picks.slice(0, 1) : [])));
  }

  private spotsOf(action: number): string[] {
    return this.offer.choices.find((choice) => choice.action === action)?.picks ?? [];
  }

  private status(): string {
    if (this.offer.choices.length === 0) return this.offer.status;
    if (this.busy) return t("sending");
    if (this.proposed || this.menu.length > 0) return t("whichOne");
    if (this.selected.size > 0) return t("selectedSquares", { count: this.selected.size });
    if (this.picking.picked.length > 0) return t("pickPlace");
    if (this.picking.kinds.sets.length > 0) return t("switchSpots");
    return this.picking.kinds.paths.length > 0 ? t("yourTurnPick") : t("yourTurn");
  }

  private controls(): (Node | null)[] {
    const { picking } = this;
    if (this.busy || this.offer.choices.length === 0) return [];
    const cancel = (): void => void this.cancel();
    if (this.proposed) return [confirmation(this.proposed, this.send, cancel)];
    if (this.menu.length > 0) return [chooser(this.menu, this.send, cancel)];
    return [
      picking.switched.size > 0 ? confirmation(picking.set ?? null, this.send, cancel) : null,
      buttons(picking.kinds.buttons, this.send),
      this.orders.exist ? this.pad() : null,
      this.hints.length > 0 ? saying(this.hints, this.offer.choices, this.send) : null,
    ];
  }

  private pad(): HTMLElement {
    const change = (amount: Amount): void => {
      this.amount = amount;
      this.render();
    };
    const toggle = (): void => {
      this.several = !this.several;
      this.render();
    };
    return pad({
      ways: this.arrows(),
      ready: [...this.ordered].length > 0,
      amounts: AMOUNTS,
      amount: this.amount,
      several: this.several,
      give: this.give,
      change,
      all: () => this.selectAll(),
      toggle,
    });
  }
}
