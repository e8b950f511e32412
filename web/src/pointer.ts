/** The pointer on the board: a click picks, dragging a piece picks it and the place where it is dropped, and dragging
 * from where nothing is picked draws a rubber band around many spots. */

import type { Board } from "./board";
import { type Point, within } from "./geometry";

/** How a spot was picked: to be added to others, or by a finger, which is easily mistaken. */
export interface How {
  adds: boolean;
  byTouch: boolean;
}

export interface Hands {
  pick(spot: string, how: How): void;
  canDrag(spot: string): boolean;
  lift(spot: string): void; // a piece is being dragged
  drop(spot: string | undefined): void;
  canBand(): boolean;
  band(spots: string[]): void;
}

const FAR = 7; // pixels that the pointer may wander during a click

interface Press {
  at: Point;
  spot: string | undefined;
  id: number;
  item: SVGGraphicsElement | null;
  moved: boolean;
}

/** Let the pointer act on the board. */
export function listen(board: Board, hands: Hands): void {
  let press: Press | null = null;
  let band: HTMLElement | null = null;
  let byTouch = false;
  let dragged = false; // the click that follows a drag is none

  board.svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || press) return;
    byTouch = event.pointerType === "touch";
    dragged = false;
    const spot = board.spotAt(event.clientX, event.clientY);
    press = { at: { x: event.clientX, y: event.clientY }, spot, id: event.pointerId, item: null, moved: false };
  });

  board.svg.addEventListener("pointermove", (event) => {
    if (!press || event.pointerId !== press.id) return;
    const far = Math.hypot(event.clientX - press.at.x, event.clientY - press.at.y);
    if (!press.moved && far > FAR) begin(press, event);
    if (press.item) follow(press.item, press.at, event);
    if (band) stretch(band, board, press.at, event);
  });

  board.svg.addEventListener("pointerup", (event) => {
    if (!press || event.pointerId !== press.id) return;
    const { at, item } = press;
    dragged = press.item !== null || band !== null;
    if (item) {
      item.style.translate = "";
      item.classList.remove("is-lifted");
      hands.drop(board.spotAt(event.clientX, event.clientY));
    }
    if (band) hands.band(within(at, { x: event.clientX, y: event.clientY }, board.middles(openSpots(board))));
    end();
  });
  board.svg.addEventListener("pointercancel", () => end());

  board.svg.addEventListener("click", (event) => {
    const spot = (event.target as Element).closest<SVGElement>("[data-spot].is-open")?.dataset.spot;
    if (spot && !dragged) hands.pick(spot, { adds: event.shiftKey, byTouch });
    dragged = byTouch = false;
  });

  function begin(press: Press, event: PointerEvent): void {
    press.moved = true;
    if (press.spot && hands.canDrag(press.spot)) {
      hands.lift(press.spot);
      press.item = board.itemOn(press.spot);
      press.item?.classList.add("is-lifted");
    } else if (hands.canBand() && event.pointerType !== "touch") {
      band = document.createElement("span");
      band.className = "band";
      board.over.append(band);
    }
    if (press.item || band) board.svg.setPointerCapture(event.pointerId);
  }

  function end(): void {
    if (press?.item) press.item.style.translate = "";
    band?.remove();
    band = press = null;
  }
}

function openSpots(board: Board): string[] {
  return [...board.spots()].filter((spot) => spot.classList.contains("is-open")).map((spot) => spot.dataset.spot ?? "");
}

function follow(item: SVGGraphicsElement, from: Point, event: PointerEvent): void {
  const inverse = (item.parentElement as unknown as SVGGraphicsElement).getScreenCTM()?.inverse();
  if (!inverse) return;
  const a = new DOMPoint(from.x, from.y).matrixTransform(inverse);
  const b = new DOMPoint(event.clientX, event.clientY).matrixTransform(inverse);
  item.style.translate = `${b.x - a.x}px ${b.y - a.y}px`;
}

function stretch(band: HTMLElement, board: Board, from: Point, event: PointerEvent): void {
  const base = board.over.getBoundingClientRect();
  Object.assign(band.style, {
    left: `${Math.min(from.x, event.clientX) - base.x}px`,
    top: `${Math.min(from.y, event.clientY) - base.y}px`,
    width: `${Math.abs(event.clientX - from.x)}px`,
    height: `${Math.abs(event.clientY - from.y)}px`,
  });
}
