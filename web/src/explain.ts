/**
 * Questions about the board. Pointing at something, or holding a finger on it, says what it is; choosing what cannot be
 * chosen is answered with the reason. The words come from the game, by way of the server.
 */

import type { Board } from "./board";
import { fill, h, ICONS, iconButton } from "./dom";
import { isArrow, middle, neighbour, type Point } from "./geometry";
import { hasNoKeys } from "./help";
import { t } from "./language";
import type { Explanation } from "./protocol";

export interface Questions {
  explain(name: string): Promise<Explanation>;
  whyNot(tried: readonly string[]): Promise<Explanation>;
  picked(): readonly string[]; // what is picked on the board so far
  isChoosing(): boolean; // whether there is something to choose
  openClause(clause: number): void;
}

const REST = 650; // milliseconds that the mouse rests on something before it is explained
const HOLD = 500; // and a finger
const FAR = 10; // pixels that it may wander meanwhile
const AWAY = 600; // milliseconds to get from something to the link in what is said about it
const GAP = 8; // pixels between something and what is said about it
const SPOT = "[data-spot]";
const NAMED = "[data-spot], [data-what]";

type Named = SVGElement & { dataset: DOMStringMap };

const nameOf = (element: Named): string => element.dataset.spot ?? element.dataset.what ?? "";

/** Whether a point of the screen is on the thing: within its box and, where it is one shape, within that. */
function isOn(element: Element, { x, y }: Point): boolean {
  const { left, right, top, bottom } = boxOf(element);
  if (x < left || x > right || y < top || y > bottom) return false;
  if (!(element instanceof SVGGeometryElement)) return true;
  const inverse = element.getScreenCTM()?.inverse();
  return !inverse || element.isPointInFill(new DOMPoint(x, y).matrixTransform(inverse));
}

const boxOf = (element: Element): DOMRect => element.getBoundingClientRect();

/** The first of these places that is on the screen and covers least of what is needed. */
function leastBad(places: readonly DOMRect[], needed: readonly DOMRect[]): DOMRect {
  const across = (one: DOMRect, other: DOMRect): number => Math.min(one.right, other.right) - Math.max(one.x, other.x);
  const down = (one: DOMRect, other: DOMRect): number => Math.min(one.bottom, other.bottom) - Math.max(one.y, other.y);
  const covers = (one: DOMRect, other: DOMRect): number =>
    Math.max(0, across(one, other)) * Math.max(0, down(one, other));
  const screen = new DOMRect(0, 0, innerWidth, innerHeight);
  const badness = (one: DOMRect): number =>
    needed.reduce((sum, other) => sum + covers(one, other), 3 * (one.width * one.height - covers(one, screen)));
  return places.reduce((best, one) => (badness(one) < badness(best) ? one : best));
}

export class Explainer {
  /** Switches asking on and off: then every click, tap and Enter on the board is a question. */
  readonly button: HTMLButtonElement;
  private readonly bubble = h("div", {
    class: "explanation",
    role: "status",
    hidden: true,
    "data-testid": "explanation",
  });
  private isAsking = false;
  private timer = 0;
  private held: Point | null = null; // where a finger is held
  private pressed: Point | null = null; // where the pointer was pressed last
  private answered = false; // by holding a finger: the click that follows is none
  private asked = 0;
  private about: Element | null = null; // what the last answer is about

  constructor(
    private readonly board: Board,
    private readonly questions: Questions,
  ) {
    this.button = iconButton(ICONS.ask, t("whatIsThis"), {
      "data-testid": "ask",
      "aria-pressed": "false",
      onclick: () => this.toggle(),
    });
    board.element.append(this.bubble);
    this.bubble.addEventListener("pointerenter", () => clearTimeout(this.timer));
    this.bubble.addEventListener("pointerleave", (event) => this.onLeave(event));
    this.listen();
  }

  private listen(): void {
    const { svg, element } = this.board;
    svg.addEventListener("pointerleave", (event) => this.onLeave(event));
    svg.addEventListener("pointerdown", (event) => this.onDown(event));
    svg.addEventListener("pointermove", (event) => this.onMove(event));
    for (const kind of ["pointerup", "pointercancel"] as const) svg.addEventListener(kind, () => this.letGo());
    svg.addEventListener("contextmenu", (event) => this.held && event.preventDefault());
    element.addEventListener("click", (event) => this.onClick(event), { capture: true });
    element.addEventListener("keydown", (event) => this.onKey(event), { capture: true });
  }

  /** Say it of buttons, too, while the mouse rests on one or a finger is held there: what their spots are. */
  tellOf(buttons: HTMLElement, spotOf: (action: number) => string | undefined): void {
    const about = ({ target }: Event): Named | null => {
      const action = (target as Element).closest<HTMLElement>("[data-action]")?.dataset.action;
      const spot = action === undefined ? undefined : spotOf(Number(action));
      return spot === undefined ? null : this.board.spot(spot);
    };
    const wait = (event: PointerEvent, patience: number, answers: boolean): void => {
      clearTimeout(this.timer);
      this.answered = false;
      const element = about(event);
      if (!element) return;
      this.timer = window.setTimeout(() => {
        this.answered = answers;
        void this.explain(element);
      }, patience);
    };
    buttons.addEventListener("pointerover", (event) => event.pointerType === "mouse" && wait(event, REST, false));
    buttons.addEventListener("pointerdown", (event) => event.pointerType === "touch" && wait(event, HOLD, true));
    buttons.addEventListener("pointerout", (event) => this.onLeave(event));
    buttons.addEventListener("pointerup", () => !this.answered && clearTimeout(this.timer));
    const listenFirst = { capture: true };
    buttons.addEventListener(
      "click",
      (event) => {
        if (this.answered) event.stopPropagation();
        else this.hide();
        this.answered = false;
      },
      listenFirst,
    );
  }

  /** Ask, or play again. Whoever asks by keyboard goes about everything on the board. */
  toggle(): void {
    this.isAsking = !this.isAsking;
    this.button.setAttribute("aria-pressed", String(this.isAsking));
    this.board.element.classList.toggle("is-asking", this.isAsking);
    if (this.isAsking) this.show(null, { text: t(hasNoKeys() ? "askAnythingByTouch" : "askAnything"), clause: 0 });
    else this.hide();
    const [first] = this.namedOnce();
    if (first && this.isAsking && this.button.matches(":focus-visible")) this.focus(first);
  }

  /** Why this cannot be done. */
  async answer(tried: readonly string[]): Promise<void> {
    const last = this.named().find((element) => nameOf(element) === tried.at(-1));
    await this.say(last ?? null, () => this.questions.whyNot(tried));
  }

  hide(): void {
    clearTimeout(this.timer);
    this.asked += 1;
    this.bubble.hidden = true;
  }

  /** No more questions, and nothing said any more. False if it was so already. */
  close(): boolean {
    if (!this.isAsking && this.bubble.hidden) return false;
    if (this.isAsking) this.toggle();
    this.hide();
    return true;
  }

  /** What was said goes with the mouse. A finger leaves as soon as it is lifted: then it stays until it is closed. */
  private onLeave(event: PointerEvent): void {
    if (event.pointerType === "touch") return;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.hide(), AWAY);
  }

  /** Everything that has a name. */
  private named(): Named[] {
    return [...this.board.svg.querySelectorAll<Named>(NAMED)];
  }

  /** The same, of things with the same name only the last: spots lie on top. */
  private namedOnce(): Named[] {
    return [...new Map(this.named().map((element) => [nameOf(element), element])).values()];
  }

  /** What the pointer is on. Spots that cannot be picked are no targets of events, so their shapes tell. */
  private at(event: MouseEvent): Named | null {
    return this.target(event) ?? this.around({ x: event.clientX, y: event.clientY });
  }

  private target(event: MouseEvent): Named | null {
    return (event.target as Element).closest<Named>(SPOT);
  }

  /** The smallest thing with a name around a point of the screen; or the smallest spot, whatever stands on it. */
  private around(point: Point, kind: typeof NAMED | typeof SPOT = NAMED): Named | null {
    const size = (element: Named): number => boxOf(element).width * boxOf(element).height;
    const all = this.named().filter((element) => isOn(element, point));
    const over = all.findLastIndex((element) => "over" in element.dataset);
    const found = all.slice(Math.max(0, over)).filter((element) => element.matches(kind));
    return found.reduce<Named | null>((best, one) => (best && size(best) <= size(one) ? best : one), null);
  }

  private explain(element: Named): Promise<void> {
    return this.say(element, () => this.questions.explain(nameOf(element)));
  }

  private async say(element: Element | null, ask: () => Promise<Explanation>): Promise<void> {
    this.asked += 1;
    const question = this.asked;
    const answer = await ask().catch(() => null); // nobody needs to know that a question got lost
    if (answer && question === this.asked) this.show(element, answer);
  }

  private show(element: Element | null, { text, clause }: Explanation): void {
    const open = (): void => {
      this.hide();
      this.questions.openClause(clause);
    };
    const link = h("button", { type: "button", class: "link", "data-testid": "clause", onclick: open });
    link.textContent = t("clause", { clause });
    const close = h("button", { type: "button", class: "link close", "aria-label": t("close") }, "✕");
    close.addEventListener("click", () => this.hide());
    fill(this.bubble, h("p", {}, text, " ", clause > 0 && link), close);
    this.bubble.hidden = false;
    this.about = element;
    this.place(element);
  }

  /** Beside what it is about, or else above or below the board: wherever it covers least of what one needs. */
  private place(element: Element | null): void {
    const board = boxOf(this.board.element);
    const about = element ? boxOf(element) : new DOMRect(board.x, board.y, board.width, 0);
    const { offsetWidth: width, offsetHeight: height } = this.bubble;
    const { x, y } = middle(about);
    const left = Math.max(board.x, Math.min(x - width / 2, board.right - width));
    const [over, under] = [about.top - GAP - height, about.bottom + GAP];
    const beside = y > (board.top + board.bottom) / 2 ? [over, under] : [under, over];
    const tops = [...beside, board.top - GAP - height, board.bottom + GAP, board.top, board.bottom - height];
    // What one may press next; once something is picked, where it may go.
    const spots = this.questions.picked().length > 0 ? ".is-next" : ".is-open";
    const all = document.querySelectorAll(`.scene ${spots}, .choosing button`);
    const needed = [...all].filter((one) => one !== element).map(boxOf);
    const best = leastBad(
      tops.map((top) => new DOMRect(left, top, width, height)),
      needed,
    );
    this.bubble.style.left = `${best.x - board.x}px`;
    this.bubble.style.top = `${best.y - board.y}px`;
  }

  // The pointer.

  /** The mouse came to rest, perhaps on something. */
  private rest(event: MouseEvent): void {
    const element = this.at(event);
    if (!element) this.hide();
    else if (element !== this.about || this.bubble.hidden) void this.explain(element);
  }

  private onDown(event: PointerEvent): void {
    clearTimeout(this.timer);
    this.answered = false;
    this.pressed = { x: event.clientX, y: event.clientY };
    const element = this.at(event);
    if (event.pointerType !== "touch" || !element) return;
    this.held = { x: event.clientX, y: event.clientY };
    this.timer = window.setTimeout(() => {
      this.answered = true;
      void this.explain(element);
    }, HOLD);
  }

  private onMove(event: PointerEvent): void {
    if (event.pointerType !== "touch") {
      clearTimeout(this.timer);
      if (event.buttons === 0) this.timer = window.setTimeout(() => this.rest(event), REST);
      return;
    }
    if (this.held && Math.hypot(event.clientX - this.held.x, event.clientY - this.held.y) > FAR) this.letGo();
  }

  /** Whether the pointer was elsewhere when it was pressed: where it was let go is no answer to a click. */
  private isDrag({ clientX, clientY }: MouseEvent): boolean {
    return this.pressed !== null && Math.hypot(clientX - this.pressed.x, clientY - this.pressed.y) > FAR;
  }

  private letGo(): void {
    if (this.held) clearTimeout(this.timer);
    this.held = null;
  }

  private onClick(event: MouseEvent): void {
    if (this.bubble.contains(event.target as Node) || this.isDrag(event)) return;
    const element = this.at(event);
    if (this.answered || this.isAsking) {
      event.stopPropagation();
      if (this.isAsking && element) void this.explain(element);
      this.answered = false;
      return;
    }
    this.hide();
    const spot = this.target(event) ?? this.around({ x: event.clientX, y: event.clientY }, SPOT);
    if (!spot || !this.questions.isChoosing() || spot.classList.contains("is-open")) return;
    void this.answer([...this.questions.picked(), nameOf(spot)]);
  }

  // The keyboard.

  private onKey(event: KeyboardEvent): void {
    if (event.key === "Escape" && this.close()) {
      event.stopPropagation();
      return;
    }
    const from = (event.target as Element).closest<Named>(NAMED);
    if (!this.isAsking || !from || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") void this.explain(from);
    else if (isArrow(event.key)) {
      const all = this.namedOnce().filter((element) => element !== from);
      const places = new Map(all.map((element, index) => [String(index), middle(boxOf(element))]));
      const goal = neighbour(middle(boxOf(from)), event.key, places);
      if (goal !== undefined) this.focus(all[Number(goal)] as Named);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private focus(element: Named): void {
    if (!element.hasAttribute("tabindex")) element.setAttribute("tabindex", "-1");
    element.focus();
    void this.explain(element);
  }
}
