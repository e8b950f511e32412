/** What you can do now, and the doing of it: picks on the board, buttons under it, orders for many squares. */

import { type Board, NO_MARKS } from "../board";
import { fill, h, ICONS, icon } from "../dom";
import { type Arrow, arrowOf } from "../geometry";
import { t } from "../language";
import { AMOUNTS, type Amount, type Given, Orders } from "../orders";
import { listenToPointer, type PickOptions, type PointerActions } from "../pointer";
import type { ChoiceView, HintLine } from "../protocol";
import { Selection } from "../selection";
import { settings } from "../storage";
import { answer, choiceButtons, choiceMenu, confirmation, type Help, orderPad, question } from "./controls";
import { hintStrip } from "./hints";

/** What of a table matters for choosing. */
export interface Offer {
  number: number; // of the log, up to which the table is shown
  ply: number;
  choices: ChoiceView[];
  last: string[];
  status: string;
  prompt: string; // what is to be decided, in the game's own words
  instead?: HTMLElement | null; // what there is for whoever has nothing to choose
  asked?: readonly number[]; // the actions that a lesson asks for: only they stand out
  atOnce?: boolean; // whether others choose at the same time
  chosen?: number | null; // what has been chosen then, and may be changed: the status says what
  turn?: number; // which turn of the match it is, where orders of the last one may be given once more
}

/** What else whoever gives many orders in a turn can ask for. */
export interface TurnHelp {
  mayPlan(): boolean;
  plan(): Promise<readonly number[] | null>; // the rest of the turn, as the game's own bot would play it
  takeBack(choices: number): Promise<void>;
  isLost(): boolean; // whether one may ask where one's own squares are
  find(): void;
}

export type Chosen = { action: number } | { actions: number[] };

/** Sends what was chosen at a ply. Gives the number of its entry in the log, or null if it was refused. */
export type Act = (ply: number, chosen: Chosen) => Promise<number | null>;

export class ChoicePanel implements PointerActions {
  readonly element = h("section", { class: "choosing", "data-testid": "choosing", "aria-label": t("whatYouCanDo") });
  private offer: Offer = { number: -1, ply: -1, choices: [], last: [], status: "", prompt: "" };
  private selection = new Selection([]);
  private orders = new Orders([]);
  private squares = new Set<string>(); // that are selected to be ordered together
  private amount: Amount = "all";
  private given: { ply: number; order: Given }[] = []; // the orders of this turn
  private lastGiven: Given[] = []; // and of the last one that had any
  private turn = -1;
  private several = false; // clicks select more squares, as with Shift
  private proposed: ChoiceView | null = null; // waits to be confirmed
  private menu: ChoiceView[] = []; // equal picks: which is meant?
  private hints: HintLine[] = [];
  private hintText = ""; // whose they are
  private isThinking = false; // about a hint
  private isAtALoss = false; // nothing can be suggested
  private wanted: string | null = null; // the control that had the focus, while there is none
  onMissed: (tried: readonly string[]) => void = () => undefined; // answers for what cannot be chosen
  private sending = false;
  private awaited = -1; // the entry of the log that shows what was chosen

  constructor(
    private readonly board: Board,
    private readonly act: Act,
    private readonly help: TurnHelp | null = null,
  ) {
    listenToPointer(board, this);
  }

  /** What is picked so far. */
  get picked(): readonly string[] {
    return this.selection.picked;
  }

  /** Until what was chosen is shown, nothing else can be chosen. */
  private get busy(): boolean {
    return this.sending || this.offer.number < this.awaited;
  }

  /** Other choices, or the same ones again: then what is picked stays picked. */
  set(offer: Offer): void {
    const { offer: before, busy } = this;
    this.offer = offer;
    this.remember(offer);
    const isSame = offer.ply === before.ply && areSame(offer.choices, before.choices);
    if (!isSame) this.begin(offer.choices);
    else if (offer.status === before.status && busy === this.busy) return; // no button goes from under a finger
    this.render();
  }

  /** A new turn: its orders are still to be given. What was taken back was not given. */
  private remember({ ply, turn = -1 }: Offer): void {
    if (turn !== this.turn && this.given.length > 0) this.lastGiven = this.given.map(({ order }) => order);
    this.given = turn === this.turn ? this.given.filter((one) => one.ply < ply) : [];
    this.turn = turn;
  }

  private begin(choices: ChoiceView[]): void {
    this.selection = new Selection(choices);
    this.orders = new Orders(choices);
    this.squares = new Set([...this.squares].filter((spot) => this.orders.squares.includes(spot)));
    this.proposed = null;
    this.menu = [];
    this.hints = [];
    this.isThinking = false;
    this.isAtALoss = false;
  }

  showThinking(isThinking: boolean): void {
    this.isThinking = isThinking;
    this.isAtALoss = false;
    this.render();
  }

  showHints(hints: HintLine[], text = ""): void {
    this.hints = hints;
    this.hintText = text;
    this.render();
  }

  // Picks.

  pick(spot: string, { adds, byTouch }: PickOptions): void {
    if (this.busy) return;
    const isSquare = this.orders.squares.includes(spot) && this.selection.picked.length === 0;
    if (isSquare && (adds || this.several)) this.toggleSquare(spot);
    else if (this.proposed && spot === this.selection.picked.at(-1)) void this.choose(this.proposed);
    else this.continueWith(spot, byTouch);
  }

  private continueWith(spot: string, byTouch: boolean): void {
    this.proposed = null;
    this.menu = [];
    if (this.selection.named(this.selection.picked).length > 0) this.selection.cancel();
    const outcome = this.selection.pick(spot);
    if (outcome.kind !== "nothing") this.squares.clear();
    if (outcome.kind === "done") this.decide(outcome.choices, byTouch);
    else this.render();
  }

  private decide(choices: ChoiceView[], byTouch: boolean): void {
    const [only] = choices;
    if (choices.length > 1) this.menu = choices;
    else if (only && byTouch && settings().confirm && !only.undoable) this.proposed = only;
    else if (only) return void this.choose(only);
    this.render();
    if (this.menu.length > 0) this.element.querySelector<HTMLElement>(".menu input, .menu button")?.focus();
  }

  cancel(): void {
    this.selection.cancel();
    this.squares.clear();
    this.proposed = null;
    this.menu = [];
    this.hints = [];
    this.render();
  }

  private readonly choose = (choice: ChoiceView): Promise<void> => this.send({ action: choice.action });

  private async send(chosen: Chosen): Promise<void> {
    if (this.busy) return;
    this.sending = true;
    this.render();
    const given = this.ordersOf(chosen);
    const number = await this.act(this.offer.ply, chosen).catch(() => null);
    this.sending = false;
    if (number === null) return this.cancel();
    this.given.push(...given);
    this.awaited = number;
    this.squares.clear();
    this.render();
  }

  private ordersOf(chosen: Chosen): { ply: number; order: Given }[] {
    return ("actions" in chosen ? chosen.actions : [chosen.action]).flatMap((action, place) => {
      const order = this.orders.given(action);
      return order ? [{ ply: this.offer.ply + place, order }] : [];
    });
  }

  // Dragging.

  canDrag(spot: string): boolean {
    return !this.busy && this.draggable().has(spot);
  }

  startDrag(spot: string): void {
    this.cancel();
    this.selection.pick(spot);
    this.render();
  }

  endDrag(spot: string | undefined): void {
    if (spot && this.selection.next().has(spot)) {
      this.continueWith(spot, false);
      return;
    }
    const { picked } = this.selection;
    this.cancel();
    if (spot && !picked.includes(spot)) this.onMissed([...picked, spot]);
  }

  // Orders for many squares.

  canSelectMany(): boolean {
    return this.orders.exist && !this.busy;
  }

  selectMany(spots: string[]): void {
    this.selection.cancel();
    for (const spot of spots) if (this.orders.squares.includes(spot)) this.squares.add(spot);
    this.render();
  }

  selectAll(): void {
    if (this.orders.exist) this.selectMany(this.orders.squares);
  }

  /** Send the selected squares the way an arrow key points. */
  order(arrow: Arrow): boolean {
    const found = [...this.arrows()].find(([, key]) => key === arrow);
    if (found) this.giveOrder(found[0]);
    return found !== undefined;
  }

  private toggleSquare(spot: string): void {
    if (!this.squares.delete(spot)) this.squares.add(spot);
    this.render();
  }

  private get orderedSquares(): Iterable<string> {
    return this.squares.size > 0 ? this.squares : this.selection.picked.slice(0, 1);
  }

  private readonly giveOrder = (way: string): void => {
    const actions = this.orders.actions(this.orderedSquares, way, this.amount);
    if (actions.length > 0 && !this.busy) void this.send({ actions });
  };

  /** Give the orders that the game's own bot would give. They can be changed, as all orders of a turn can. */
  private async followPlan(): Promise<void> {
    const { ply } = this.offer;
    this.showThinking(true);
    const plan = await this.help?.plan().catch(() => null);
    this.showThinking(false);
    if (!plan || this.offer.ply !== ply || this.busy) return;
    if (plan.length === 0) {
      this.isAtALoss = true;
      this.render();
    } else await this.send({ actions: [...plan] });
  }

  /** The press for whoever does not know what to order, while there are no orders on the board yet or some. */
  private plan(): Help | null {
    const isOffered = this.help?.mayPlan() && this.orders.exist && [...this.orderedSquares].length === 0;
    return isOffered ? { name: "plan", words: t("suggestOrders"), act: () => this.followPlan() } : null;
  }

  private helps(): Help[] {
    const { help } = this;
    if (!help) return [];
    const again = this.orders.again(this.lastGiven);
    const count = this.given.length;
    const found: (Help | false)[] = [
      again.length > 0 && { name: "again", words: t("sameAgain"), act: () => this.send({ actions: again }) },
      count > 1 && { name: "clear", words: t("takeAllBack"), act: () => help.takeBack(count) },
      help.isLost() && { name: "find", words: t("findMine"), act: async () => help.find() },
    ];
    return found.filter((one) => one !== false);
  }

  /** Whether there are orders to give, or some have been given in this turn. */
  private get hasOrders(): boolean {
    return this.orders.exist || this.given.length > 0;
  }

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
    const { selection, offer } = this;
    const first = selection.picked.length === 0;
    const hinted = this.hints[0] ? this.spotsOf(this.hints[0].action) : [];
    this.board.mark({
      ...NO_MARKS,
      open: this.busy ? NO_MARKS.open : selection.open(),
      next: first ? NO_MARKS.next : selection.next(),
      picked: new Set([...selection.picked, ...selection.switched, ...this.squares]),
      last: this.hasOrders ? NO_MARKS.last : new Set(offer.last), // orders are drawn
      hinted: new Set(hinted),
      drag: this.busy ? NO_MARKS.drag : this.draggable(),
      quiet: offer.asked ? this.unasked(offer.asked) : NO_MARKS.quiet,
      words: (spot) => selection.labels(spot).slice(0, 2).join(", "),
    });
    this.keepFocus(() => {
      fill(this.element, h("p", { class: "status", "data-testid": "status" }, this.status()), ...this.controls());
    });
    this.element.classList.toggle("is-busy", this.busy);
    if (this.orders.exist) this.element.classList.add("has-orders"); // from then on, so that the board keeps its size
  }

  /** Change the controls. Whoever uses them by keyboard goes on with the same one, or with the first that comes next. */
  private keepFocus(change: () => void): void {
    const active = document.activeElement;
    const name = this.element.contains(active) && active?.matches(":focus-visible") ? nameOf(active) : null;
    const wanted = name ?? (active === document.body ? this.wanted : null);
    change();
    const controls = [...this.element.querySelectorAll<HTMLElement>("button:not([disabled]), input")];
    const next = wanted === null ? undefined : (controls.find((one) => nameOf(one) === wanted) ?? controls[0]);
    next?.focus();
    this.wanted = next ? null : wanted;
  }

  /** The first spots of choices that have two. */
  private draggable(): Set<string> {
    return new Set(this.selection.kinds.paths.flatMap(({ picks = [] }) => (picks.length > 1 ? picks.slice(0, 1) : [])));
  }

  /** The open spots that do not lead to any of these actions. */
  private unasked(asked: readonly number[]): Set<string> {
    const { picked, kinds } = this.selection;
    const quiet = this.selection.open();
    for (const action of asked) {
      const spots = this.spotsOf(action);
      const isSet = kinds.sets.some((choice) => choice.action === action);
      const isBegun = picked.length > 0 && picked.every((spot, place) => spot === spots[place]);
      for (const spot of isSet ? spots : spots.slice(isBegun ? picked.length : 0).slice(0, 1)) quiet.delete(spot);
    }
    for (const spot of picked) quiet.delete(spot);
    return quiet;
  }

  /** The spot that a choice ends with: what it is about. */
  readonly lastSpot = (action: number): string | undefined => this.spotsOf(action).at(-1);

  private spotsOf(action: number): string[] {
    return this.offer.choices.find((choice) => choice.action === action)?.picks ?? [];
  }

  private status(): string {
    if (this.offer.choices.length === 0) return this.offer.status;
    if (this.busy) return t("sending");
    if (this.menu.length > 0 && this.menu.every((choice) => choice.way)) return t("howManyGo");
    if (this.proposed) return question(this.proposed);
    if (this.menu.length > 0) return t("whichOne");
    if (this.squares.size > 0) return t("selectedSquares", { count: this.squares.size });
    if (this.selection.picked.length > 0) return t("pickPlace");
    if ((this.offer.chosen ?? null) !== null) return this.offer.status;
    const turn = t(this.offer.atOnce ? "allChoose" : "yourTurn");
    if (this.offer.prompt) return `${turn}: ${this.offer.prompt}`;
    if (this.offer.atOnce) return turn;
    if (this.selection.kinds.sets.length > 0) return t("switchSpots");
    return this.selection.kinds.paths.length > 0 ? t("yourTurnPick") : t("yourTurn");
  }

  private controls(): (Node | null)[] {
    const { selection } = this;
    if (this.offer.choices.length === 0) return [this.offer.instead ?? null];
    if (this.busy) return [];
    const cancel = (): void => void this.cancel();
    const inWords = this.inWords();
    if (this.proposed) return [answer(this.proposed, this.choose, cancel)];
    if (this.menu.length > 0) return [choiceMenu(this.menu, this.choose, cancel)];
    return [
      selection.switched.size > 0 ? confirmation(selection.set ?? null, this.choose, cancel) : null,
      choiceButtons(inWords, inWords.length === this.offer.choices.length, this.choose, this.plan()),
      this.hasOrders ? this.orderPad() : null,
      this.seeking(),
      this.hints.length > 0 ? hintStrip(this.hints, this.hintText, this.offer.choices, this.choose) : null,
    ];
  }

  /** What is said while a hint is sought, or where there is none. */
  private seeking(): HTMLElement | null {
    if (!this.isThinking && !this.isAtALoss) return null;
    const words = t(this.isThinking ? "thinking" : "nothingToSuggest");
    return h("p", { class: "hints seeking", role: "status" }, icon(ICONS.hint), words);
  }

  /** What is offered as buttons: what has no place on the board, and what the game wants to be told, too. */
  private inWords(): ChoiceView[] {
    const { picked, choices } = this.selection;
    if (this.selection.switched.size > 0) return [];
    const goesOn = (picks: readonly string[]): boolean => picked.every((spot, place) => picks[place] === spot);
    return choices.filter(({ picks = [], listed }) => {
      if (picks.length === 0) return picked.length === 0;
      return listed === true && picks.length === picked.length + 1 && goesOn(picks);
    });
  }

  private orderPad(): HTMLElement {
    const change = (amount: Amount): void => {
      this.amount = amount;
      this.render();
    };
    const toggle = (): void => {
      this.several = !this.several;
      this.render();
    };
    return orderPad({
      ways: this.arrows(),
      ready: [...this.orderedSquares].length > 0,
      amounts: AMOUNTS,
      amount: this.amount,
      several: this.several,
      exist: this.orders.exist,
      give: this.giveOrder,
      change,
      all: () => this.selectAll(),
      toggle,
      helps: this.helps(),
    });
  }
}

const areSame = (one: readonly ChoiceView[], other: readonly ChoiceView[]): boolean =>
  one.length === other.length &&
  one.every(({ action, text }, at) => action === other[at]?.action && text === other[at].text);

const nameOf = (element: Element): string => (element instanceof HTMLElement ? (element.dataset.testid ?? "") : "");
