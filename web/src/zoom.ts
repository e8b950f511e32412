/** A closer look at the board: by pinching, by the wheel with Ctrl, by buttons and keys. Scrolling moves it about. */

import { h, ICONS, iconButton } from "./dom";
import { type Box, fullest, middle, type Point } from "./geometry";
import { t } from "./language";

const MOST = 8;
const STEP = 1.5;
const WHEEL = 0.01; // how much one unit of the wheel changes, as a power of e

export class Zoom {
  private scale = 1;
  private isByHand = false; // somebody has chosen how close to look
  private spread = 0; // of two fingers, when they were last seen

  /** `frame` stays as large as it is, and shows a part of what is in it. */
  constructor(private readonly frame: HTMLElement) {
    const active = { passive: false };
    frame.addEventListener("wheel", (event) => this.onWheel(event), active);
    frame.addEventListener("touchstart", (event) => this.onTouch(event), active);
    frame.addEventListener("touchmove", (event) => this.onTouch(event), active);
  }

  closer(): void {
    this.isByHand = true;
    this.by(STEP);
  }

  farther(): void {
    this.isByHand = true;
    this.by(1 / STEP);
  }

  whole(): void {
    this.isByHand = true;
    this.by(1 / MOST);
  }

  /** So many times as large. What is at the point of the screen stays there; without one, what is in the middle. */
  by(factor: number, at?: Point): void {
    const next = Math.min(MOST, Math.max(1, this.scale * factor));
    const box = this.frame.getBoundingClientRect();
    const [x, y] = at ? [at.x - box.x, at.y - box.y] : [box.width / 2, box.height / 2];
    const [left, top] = [(this.frame.scrollLeft + x) / this.scale, (this.frame.scrollTop + y) / this.scale];
    this.scale = next;
    this.frame.style.setProperty("--zoom", String(next));
    this.frame.classList.toggle("is-zoomed", next > 1);
    if (next > 1) this.frame.tabIndex = 0;
    else this.frame.removeAttribute("tabindex");
    this.frame.scrollTo(left * next - x, top * next - y);
  }

  /** Look at these boxes of the screen so closely that the smallest has so many pixels; where not all have room, at
   * most of them. Whoever has chosen how close to look is left alone, unless it is `asked` for. */
  lookAt(boxes: readonly Box[], least: number, asked = false): void {
    if (this.isByHand && !asked) return;
    this.isByHand = false;
    const side = Math.min(...boxes.map(({ width, height }) => Math.min(width, height))) / this.scale;
    if (!Number.isFinite(side) || side <= 0) return;
    const before = this.scale;
    const outside = this.frame.getBoundingClientRect();
    const { scrollLeft, scrollTop } = this.frame;
    const places = boxes.map((box) => {
      const { x, y } = middle(box);
      return { x: (x - outside.x + scrollLeft) / before, y: (y - outside.y + scrollTop) / before };
    });
    const next = Math.min(MOST, Math.max(1, least / side));
    this.by(next / before);
    const { x, y } = fullest(places, outside.width / next - side, outside.height / next - side);
    this.frame.scrollTo(x * next - outside.width / 2, y * next - outside.height / 2);
  }

  private onWheel(event: WheelEvent): void {
    if (!event.ctrlKey) return;
    this.isByHand = true;
    event.preventDefault();
    this.by(Math.exp(-event.deltaY * WHEEL), { x: event.clientX, y: event.clientY });
  }

  private onTouch(event: TouchEvent): void {
    const [one, other] = [...event.touches];
    if (!one || !other || event.touches.length > 2) return;
    this.isByHand = true;
    if (event.cancelable) event.preventDefault();
    const spread = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    const at = { x: (one.clientX + other.clientX) / 2, y: (one.clientY + other.clientY) / 2 };
    if (event.type === "touchmove" && this.spread > 0) this.by(spread / this.spread, at);
    this.spread = spread;
  }
}

/** The table alone on the screen; where the browser cannot, as large as its window. */
export function toggleFull(): void {
  const root = document.documentElement;
  const isFull = root.classList.toggle("is-full");
  if (isFull) root.requestFullscreen?.().catch(() => undefined);
  else leaveFull();
}

export function leaveFull(): void {
  document.documentElement.classList.remove("is-full");
  if (document.fullscreenElement) document.exitFullscreen().catch(() => undefined);
}

// Esc and the system's own buttons end it, too.
globalThis.document?.addEventListener("fullscreenchange", () => document.fullscreenElement ?? leaveFull());

export function zoomButtons(zoom: Zoom): HTMLElement {
  return h(
    "span",
    { class: "zooming" },
    iconButton(ICONS.farther, t("farther"), { "data-testid": "farther", onclick: () => zoom.farther() }),
    iconButton(ICONS.closer, t("closer"), { "data-testid": "closer", onclick: () => zoom.closer() }),
  );
}

export const fullButton = (): HTMLElement =>
  iconButton(ICONS.full, t("fullScreen"), { "data-testid": "full", onclick: toggleFull });

/** What keys do to the board, on every page that has one. */
export const zoomKeys = (zoom: Zoom): Record<string, () => void> => ({
  "+": () => zoom.closer(),
  "=": () => zoom.closer(),
  "-": () => zoom.farther(),
  "0": () => zoom.whole(),
  v: toggleFull,
});
