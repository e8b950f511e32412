/** Shows people where they are on a board of many squares: where they touch the screen, close enough to be touched. */

import type { Board } from "./board";
import { h } from "./dom";
import { middle } from "./geometry";
import { t } from "./language";

const TARGET = 44; // pixels of the screen that a finger needs
const FEW = 4; // of one's own squares, which may be overlooked
const SHOWN = 5000; // milliseconds that the sign stays
const SETTLED = 300; // milliseconds after the screen has changed or squares came close, in which nobody else scrolls

export class Homing {
  private turn: number | null = null; // at which it was looked last
  private isFound = false; // shown in one's own turn
  private sign: AbortController | null = null;

  constructor(private readonly board: Board) {}

  /** The board is drawn, in this turn. At the beginning, and of every turn of one's own, one's squares come close. */
  look(seat: number, turn: number, isYours: boolean): void {
    if (this.turn === turn || (this.turn !== null && !isYours)) return;
    const { length } = this.board.owned(seat);
    if (length === 0 || !this.board.element.isConnected) return; // it has no place on the screen yet
    this.turn = turn;
    this.show(seat, { asked: false, marked: !this.isFound && length <= FEW });
    this.isFound ||= isYours;
  }

  /** Whether somebody may ask where their squares are: they have few. */
  isNeeded(seat: number): boolean {
    const { length } = this.board.owned(seat);
    return length > 0 && length <= FEW;
  }

  /** Somebody asks where their squares are. */
  find(seat: number): void {
    this.show(seat, { asked: true, marked: true });
  }

  /** One's squares come close, and are marked or not; again where the board changes its size, until something is done. */
  private show(seat: number, { asked, marked }: { asked: boolean; marked: boolean }): void {
    this.sign?.abort();
    const sign = new AbortController();
    this.sign = sign;
    let parts: HTMLElement[] = [];
    let settles = 0;
    let hasSettled = false; // and so it is somebody else who scrolls
    const settle = (): void => {
      clearTimeout(settles);
      hasSettled = false;
      // What scrolls by itself is told in the next frame, however late that comes on a slow machine.
      requestAnimationFrame(() => {
        clearTimeout(settles);
        settles = window.setTimeout(() => (hasSettled = true), SETTLED);
      });
    };
    const draw = (): void => {
      settle();
      const mine = this.board.owned(seat);
      this.comeClose(mine, asked);
      for (const part of parts) part.remove();
      parts = marked ? marks(mine, this.board.over.getBoundingClientRect()) : [];
      this.board.over.append(...parts);
    };
    draw();
    const size = new ResizeObserver(draw);
    size.observe(this.board.over);
    const end = (): void => sign.abort();
    const { signal } = sign;
    const listen = (kind: string, then: () => unknown): void =>
      window.addEventListener(kind, then, { signal, capture: true, passive: true });
    for (const kind of ["pointerdown", "keydown"]) listen(kind, end);
    listen("resize", settle);
    listen("scroll", () => hasSettled && end());
    const shown = window.setTimeout(end, SHOWN);
    signal.addEventListener("abort", () => {
      size.disconnect();
      clearTimeout(shown);
      for (const part of parts) part.remove();
    });
  }

  private comeClose(mine: readonly Element[], asked: boolean): void {
    if (!matchMedia("(pointer: coarse)").matches) return;
    const boxes = mine.map((element) => element.getBoundingClientRect());
    this.board.zoom.lookAt(boxes, TARGET, asked);
  }
}

/** A ring around each square, and words beside the first. */
function marks(mine: readonly Element[], base: DOMRect): HTMLElement[] {
  const first = mine[0]?.getBoundingClientRect();
  return [...mine.map((element) => ring(element, base)), ...(first ? [words(first, base)] : [])];
}

function ring(element: Element, base: DOMRect): HTMLElement {
  const { x, y, width, height } = element.getBoundingClientRect();
  const part = h("span", { class: "mine-ring" });
  const wide = { left: `${x - base.x}px`, top: `${y - base.y}px`, width: `${width}px`, height: `${height}px` };
  Object.assign(part.style, wide);
  return part;
}

/** Beside one of its corners, where there is most room: none of its four neighbours is covered. */
function words(box: DOMRect, base: DOMRect): HTMLElement {
  const part = h("span", { class: "mine-words", "data-testid": "you-are-here" }, t("youAreHere"));
  const { x, y } = middle(box);
  const isLow = y > base.y + base.height / 2;
  if (x > base.x + base.width / 2) part.style.right = `${base.right - box.left}px`;
  else part.style.left = `${box.right - base.x}px`;
  part.classList.toggle("is-above", isLow);
  part.style.top = `${(isLow ? box.top : box.bottom) - base.y}px`;
  return part;
}
