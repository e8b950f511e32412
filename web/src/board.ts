/** The picture on the page: drawn by the server, marked and made to answer here. */

import { Idiomorph } from "idiomorph";
import { h, s } from "./dom";
import { Drawer } from "./drawer";
import { isArrow, middle, neighbour, type Point } from "./geometry";
import type { Stage } from "./motion";
import type { PickOptions } from "./pointer";
import { isToStand, type Size, standUpright, uprightSize } from "./upright";
import { Zoom } from "./zoom";

/** What is marked in the picture. */
export interface Marks {
  open: ReadonlySet<string>; // can be picked
  next: ReadonlySet<string>; // of these, where what is picked may go
  picked: ReadonlySet<string>;
  last: ReadonlySet<string>; // of the last action
  hinted: ReadonlySet<string>;
  drag: ReadonlySet<string>; // can be dragged elsewhere
  quiet: ReadonlySet<string>; // can be picked, but nobody asks for it: it looks as if it could not
  words(spot: string): string; // what picking it would do
}

const NONE: ReadonlySet<string> = new Set();
export const NO_MARKS: Marks = {
  open: NONE,
  next: NONE,
  picked: NONE,
  last: NONE,
  hinted: NONE,
  drag: NONE,
  quiet: NONE,
  words: () => "",
};

type SpotElement = SVGGraphicsElement & { dataset: DOMStringMap };

export class Board implements Stage {
  readonly element: HTMLElement;
  readonly zoom: Zoom;
  private readonly frame: HTMLElement;
  readonly over = h("div", { class: "over", "aria-hidden": "true" });
  readonly thrown = h("p", { class: "thrown", hidden: true, "data-testid": "thrown" });
  readonly svg = s("svg", { class: "picture", role: "group" });
  // A picture within the picture, so that nothing of it shows beyond the edges; pieces may fly over them.
  private readonly ground = s("svg", { "aria-hidden": "true" });
  private readonly scene = s("g", { class: "scene" });
  readonly drawer = new Drawer(this.svg, () => this.mark(this.marks));
  private marks: Marks = NO_MARKS;
  private current = ""; // the spot that Tab leads to
  private drawnScene = "";
  private told = { size: [0, 0] as Size, ground: "", scene: "" }; // what is to be drawn, as it was told
  private upright: Size | null = null; // how large the picture is where it stands upright, if it can
  private isUpright = false;
  private readonly room = new ResizeObserver(() => this.fit());

  constructor(
    label: string,
    private readonly pick: (spot: string, options: PickOptions) => void,
  ) {
    this.svg.setAttribute("aria-label", label);
    this.svg.append(this.ground, this.scene);
    this.frame = h("div", { class: "frame-of-board", "data-testid": "frame" }, this.svg);
    this.element = h("div", { class: "board", "data-testid": "board" }, this.frame, this.over);
    this.zoom = new Zoom(this.frame);
    this.room.observe(this.element);
    this.svg.addEventListener("keydown", (event) => this.onKey(event));
    // On the picture itself, it would make the picture a stop of the Tab key.
    this.element.addEventListener("focusin", (event) => this.onFocus(event));
  }

  /** Another board: its size, and what in it never changes. */
  setGround(size: Size, backdrop: string): void {
    const [wide, high] = this.told.size;
    if (backdrop === this.told.ground && size[0] === wide && size[1] === high) return;
    Object.assign(this.told, { size, ground: backdrop });
    this.upright = uprightSize(backdrop);
    if (!this.fit()) this.drawGround();
  }

  /** Stand the picture upright, or lay it down again, as it is larger in the room that it has. Says whether it turned. */
  private fit(): boolean {
    const room = this.element.parentElement;
    if (room) this.room.observe(room);
    const isUpright = this.upright !== null && room !== null && isToStand(this.upright, this.told.size, room);
    if (isUpright === this.isUpright || room?.clientHeight === 0) return false;
    this.isUpright = isUpright;
    this.drawGround();
    const { scene } = this.told;
    if (scene) this.setScene(scene, true);
    return true;
  }

  private drawGround(): void {
    const [wide, high] = (this.isUpright && this.upright) || this.told.size;
    this.svg.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    this.element.style.setProperty("--wide", String(wide));
    this.element.style.setProperty("--high", String(high));
    this.ground.setAttribute("width", String(wide));
    this.ground.setAttribute("height", String(high));
    this.ground.innerHTML = this.told.ground;
    if (this.isUpright) standUpright(this.ground);
  }

  /** Another position, or the same `anew`. Elements that stay are kept, so that nothing flickers and focus is not lost. */
  setScene(scene: string, anew = false): void {
    if (scene === this.drawnScene && !anew) return;
    this.drawnScene = this.told.scene = scene;
    const focused = this.focusedSpot();
    const fresh = s("g");
    fresh.innerHTML = scene;
    if (this.isUpright) standUpright(fresh);
    try {
      Idiomorph.morph(this.scene, [...fresh.childNodes], { morphStyle: "innerHTML" });
    } catch (error) {
      console.error(error);
      this.scene.replaceChildren(...fresh.childNodes);
    }
    this.mark(this.marks);
    if (focused) this.focus(focused);
  }

  /** Mark the spots, and let only those be reached that can be picked. */
  mark(marks: Marks): void {
    this.marks = marks;
    const focused = this.focusedSpot();
    this.drawer.update(this.isUpright, marks.open);
    const open = [...marks.next, ...marks.open];
    const isShown = (spot: string): boolean => this.spot(spot)?.checkVisibility() ?? false;
    if (!marks.open.has(this.current) || !isShown(this.current)) this.current = open.find(isShown) ?? open[0] ?? "";
    for (const spot of this.spots()) this.markSpot(spot, spot.dataset.spot ?? "");
    this.svg.classList.toggle("is-choosing", marks.picked.size > 0);
    if (focused && focused !== this.current && !marks.open.has(focused)) this.focus(this.current);
  }

  private markSpot(spot: SpotElement, name: string): void {
    const { open, next, picked, last, hinted, drag, quiet, words } = this.marks;
    const isOpen = open.has(name);
    spot.classList.toggle("is-open", isOpen);
    spot.classList.toggle("is-next", next.has(name));
    spot.classList.toggle("is-picked", picked.has(name));
    spot.classList.toggle("is-last", last.has(name));
    spot.classList.toggle("is-hinted", hinted.has(name));
    spot.classList.toggle("is-drag", drag.has(name));
    spot.classList.toggle("is-quiet", quiet.has(name));
    spot.dataset.name ??= spot.getAttribute("aria-label") ?? name;
    const says = isOpen ? words(name) : "";
    spot.setAttribute("aria-label", says ? `${spot.dataset.name}: ${says}` : spot.dataset.name);
    if (isOpen) {
      spot.setAttribute("role", "button");
      spot.setAttribute("aria-pressed", String(picked.has(name)));
      spot.setAttribute("tabindex", name === this.current ? "0" : "-1");
    } else {
      spot.removeAttribute("aria-pressed");
      if (spot === document.activeElement)
        spot.setAttribute("tabindex", "-1"); // so that the focus waits on the board
      else spot.removeAttribute("tabindex");
      spot.setAttribute("role", "img");
    }
  }

  flip(): void {
    this.svg.classList.toggle("is-flipped");
  }

  focus(spot: string = this.current): void {
    const element = this.spot(spot);
    if (element && !element.hasAttribute("tabindex")) element.setAttribute("tabindex", "-1");
    element?.focus();
  }

  // Where things are.

  spots(): NodeListOf<SpotElement> {
    return this.scene.querySelectorAll<SpotElement>("[data-spot]");
  }

  /** The spots that belong to a seat, where the picture says so. */
  owned(seat: number): SpotElement[] {
    return [...this.scene.querySelectorAll<SpotElement>(`[data-spot][data-owner="${seat}"]`)];
  }

  spot(name: string): SpotElement | null {
    return this.scene.querySelector<SpotElement>(`[data-spot="${CSS.escape(name)}"]`);
  }

  /** An item, to be moved: the picture is then not as it was drawn. */
  item(id: string): SVGGraphicsElement | null {
    this.drawnScene = "";
    return this.svg.querySelector<SVGGraphicsElement>(`#${CSS.escape(id)}`);
  }

  /** Where a spot is on the screen; a seat has its place beside the board. */
  place(name: string): DOMRect | null {
    const beside = name.startsWith("seat-") ? document.querySelector(`[data-seat="${name.slice(5)}"]`) : null;
    const box = (this.spot(name) ?? beside)?.getBoundingClientRect();
    return box?.width ? box : null; // what is in a drawer has no place
  }

  /** The middles of these spots on the screen. */
  middles(names: Iterable<string>): Map<string, Point> {
    const found = new Map<string, Point>();
    for (const name of names) {
      const box = this.spot(name)?.getBoundingClientRect();
      if (box?.width) found.set(name, middle(box));
    }
    return found;
  }

  /** The spot at a point of the screen that can be picked. */
  spotAt(x: number, y: number): string | undefined {
    for (const element of document.elementsFromPoint(x, y)) {
      const spot = element.closest<SpotElement>("[data-spot].is-open");
      if (spot && this.scene.contains(spot)) return spot.dataset.spot;
    }
    return undefined;
  }

  /** The smallest spot around a point of the screen. One that cannot be picked is no target of events: its box tells. */
  spotAround({ x, y }: Point): string | undefined {
    const boxes = [...this.spots()].map((spot) => ({ name: spot.dataset.spot, box: spot.getBoundingClientRect() }));
    const around = boxes.filter(({ box }) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom);
    const size = ({ box }: { box: DOMRect }): number => box.width * box.height;
    return around.sort((one, other) => size(one) - size(other))[0]?.name;
  }

  /** The item that lies on a spot: the one whose middle is nearest to the spot's. */
  itemOn(name: string): SVGGraphicsElement | null {
    const spot = this.spot(name)?.getBoundingClientRect();
    if (!spot) return null;
    const { x, y } = middle(spot);
    let best: SVGGraphicsElement | null = null;
    let least = Math.max(spot.width, spot.height) / 2;
    for (const item of this.scene.querySelectorAll<SVGGraphicsElement>("[id]")) {
      const box = item.getBoundingClientRect();
      const far = Math.hypot(middle(box).x - x, middle(box).y - y);
      if (far < least && box.width <= spot.width * 2) [best, least] = [item, far];
    }
    return best;
  }

  // The keyboard.

  private focusedSpot(): string | undefined {
    const active = document.activeElement as SpotElement | null;
    return active && this.scene.contains(active) ? active.dataset.spot : undefined;
  }

  private onFocus(event: FocusEvent): void {
    const name = (event.target as SpotElement).dataset.spot;
    if (!name || name === this.current) return;
    this.spot(this.current)?.setAttribute("tabindex", "-1");
    this.current = name;
    this.spot(name)?.setAttribute("tabindex", "0");
  }

  private onKey(event: KeyboardEvent): void {
    const name = this.focusedSpot();
    if (!name || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.pick(name, { adds: event.key === " " || event.shiftKey, byTouch: false });
    } else if (isArrow(event.key) && !event.shiftKey) {
      event.preventDefault();
      const places = this.middles(this.marks.open);
      const from = places.get(name);
      const goal = from && neighbour(from, event.key, places);
      if (goal) this.focus(goal);
    }
  }
}
