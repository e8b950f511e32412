/** The pointer on the board: a click picks, dragging a piece picks it and the place where it is dropped, and dragging
 * from where nothing can be dragged draws a rubber band around many spots. */

import type { Board } from "./board";
import { h } from "./dom";
import { type Point, within } from "./geometry";

/** How a spot was picked: to be added to others, or by a finger, which is easily mistaken. */
export interface PickOptions {
  adds: boolean;
  byTouch: boolean;
}

export interface PointerActions {
  pick(spot: string, options: PickOptions): void;
  canDrag(spot: string): boolean;
  startDrag(spot: string): void;
  endDrag(spot: string | undefined): void; // without a spot it was dropped nowhere
  canSelectMany(): boolean;
  selectMany(spots: string[]): void;
}

const FAR = 7; // pixels that the pointer may wander during a click

const positionOf = (event: PointerEvent): Point => ({ x: event.clientX, y: event.clientY });

/** One press of the pointer, from down to up. Its listeners are the window's: it may end anywhere. */
class Press {
  private readonly start: Point;
  private readonly listening = new AbortController();
  private item: SVGGraphicsElement | null = null;
  private band: HTMLElement | null = null;
  private trace: HTMLElement | null = null; // from where nothing lies that could be lifted
  private hasMoved = false;
  private isDragging = false;

  constructor(
    private readonly board: Board,
    private readonly actions: PointerActions,
    private readonly down: PointerEvent,
    private readonly ended: (dragged: boolean) => void,
  ) {
    this.start = positionOf(down);
    const options = { signal: this.listening.signal };
    window.addEventListener("pointermove", (event) => this.onMove(event), options);
    window.addEventListener("pointerup", (event) => this.isMine(event) && this.finish(event), options);
    window.addEventListener("pointercancel", (event) => this.isMine(event) && this.finish(null), options);
    window.addEventListener("blur", () => this.finish(null), options);
  }

  private isMine = (event: PointerEvent): boolean => event.pointerId === this.down.pointerId;

  private onMove(event: PointerEvent): void {
    if (!this.isMine(event)) return;
    if (event.buttons === 0) {
      this.finish(null); // let go where nobody heard of it
      return;
    }
    const { x, y } = this.start;
    if (!this.hasMoved && Math.hypot(event.clientX - x, event.clientY - y) > FAR) this.begin();
    if (this.item) follow(this.item, this.start, positionOf(event));
    if (this.trace) draw(this.trace, this.board.over, this.start, positionOf(event));
    if (this.band) stretch(this.band, this.board.over, this.start, positionOf(event));
  }

  private begin(): void {
    this.hasMoved = true;
    const spot = this.board.spotAt(this.start.x, this.start.y);
    if (spot && this.actions.canDrag(spot)) {
      this.isDragging = true;
      this.actions.startDrag(spot);
      this.item = this.board.itemOn(spot);
      this.item?.classList.add("is-lifted");
      if (!this.item) this.trace = h("span", { class: "trace" });
      if (this.trace) this.board.over.append(this.trace);
    } else if (this.actions.canSelectMany() && this.down.pointerType !== "touch") {
      this.band = document.createElement("span");
      this.band.className = "band";
      this.board.over.append(this.band);
    }
  }

  /** It ended here, or, without an event, it was cancelled. */
  private finish(event: PointerEvent | null): void {
    this.listening.abort();
    this.item?.classList.remove("is-lifted");
    if (this.item) this.item.style.translate = "";
    this.band?.remove();
    this.trace?.remove();
    if (this.isDragging) this.drop(event);
    if (this.band && event) {
      this.actions.selectMany(within(this.start, positionOf(event), this.board.middles(openSpots(this.board))));
    }
    this.ended(this.isDragging || this.band !== null);
  }

  private drop(event: PointerEvent | null): void {
    const at = event && positionOf(event);
    this.actions.endDrag(at ? (this.board.spotAt(at.x, at.y) ?? this.board.spotAround(at)) : undefined);
  }
}

/** Let the pointer act on the board. */
export function listenToPointer(board: Board, actions: PointerActions): void {
  let press: Press | null = null;
  let byTouch = false;
  let dragged = false; // the click that follows a drag is none

  board.svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || press) return;
    byTouch = event.pointerType === "touch";
    dragged = false;
    press = new Press(board, actions, event, (hasDragged) => {
      press = null;
      dragged = hasDragged;
    });
  });

  board.svg.addEventListener("click", (event) => {
    const spot = (event.target as Element).closest<SVGElement>("[data-spot].is-open")?.dataset.spot;
    const isSecond = event.detail > 1 && !byTouch; // of a double click
    if (spot && !dragged && !isSecond) actions.pick(spot, { adds: event.shiftKey, byTouch });
    dragged = byTouch = false;
  });
}

function openSpots(board: Board): string[] {
  return [...board.spots()].filter((spot) => spot.classList.contains("is-open")).map((spot) => spot.dataset.spot ?? "");
}

function follow(item: SVGGraphicsElement, from: Point, to: Point): void {
  const inverse = (item.parentElement as unknown as SVGGraphicsElement | null)?.getScreenCTM()?.inverse();
  if (!inverse) return;
  const a = new DOMPoint(from.x, from.y).matrixTransform(inverse);
  const b = new DOMPoint(to.x, to.y).matrixTransform(inverse);
  item.style.translate = `${b.x - a.x}px ${b.y - a.y}px`;
}

/** A line to where the pointer is. */
function draw(trace: HTMLElement, over: HTMLElement, from: Point, to: Point): void {
  const base = over.getBoundingClientRect();
  Object.assign(trace.style, {
    left: `${from.x - base.x}px`,
    top: `${from.y - base.y}px`,
    width: `${Math.hypot(to.x - from.x, to.y - from.y)}px`,
    rotate: `${Math.atan2(to.y - from.y, to.x - from.x)}rad`,
  });
}

function stretch(band: HTMLElement, over: HTMLElement, from: Point, to: Point): void {
  const base = over.getBoundingClientRect();
  Object.assign(band.style, {
    left: `${Math.min(from.x, to.x) - base.x}px`,
    top: `${Math.min(from.y, to.y) - base.y}px`,
    width: `${Math.abs(to.x - from.x)}px`,
    height: `${Math.abs(to.y - from.y)}px`,
  });
}
