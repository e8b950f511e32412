/** The drawer of a picture that stands upright: what has no room there is in it, and opens over the rest. */

import { h } from "./dom";

export class Drawer {
  readonly button: HTMLButtonElement;
  private drawer: SVGElement | null = null;
  private wish: boolean | null = null; // of who looks: until they act, or it opens or closes by itself
  private opens = false; // by itself, as the game wants it

  /** `turned` is called when it was opened or closed by hand. */
  constructor(
    private readonly picture: SVGElement,
    private readonly turned: () => void,
  ) {
    const attributes = { type: "button", class: "quiet drawer", hidden: true, "data-testid": "drawer" };
    this.button = h("button", { ...attributes, onclick: () => this.turn() });
  }

  private get isOpen(): boolean {
    return this.wish ?? this.opens;
  }

  private turn(): void {
    this.wish = !this.isOpen;
    this.turned();
  }

  /** Somebody has acted: what comes of it is to be seen, so that a drawer opened by hand closes. */
  letGo(): void {
    this.wish = null;
  }

  /** The picture is drawn, and these spots can be picked: what one chooses from comes into sight by itself. */
  update(isUpright: boolean, open: ReadonlySet<string>): void {
    this.drawer = isUpright ? this.picture.querySelector<SVGElement>("[data-drawer]") : null;
    const holds = [...(this.drawer?.querySelectorAll<SVGElement>("[data-spot]") ?? [])].map(
      ({ dataset }) => dataset.spot,
    );
    const opens =
      this.drawer?.dataset.opens !== undefined && holds.some((spot) => spot !== undefined && open.has(spot));
    if (opens !== this.opens) this.wish = null;
    this.opens = opens;
    this.button.hidden = this.drawer === null;
    this.button.textContent = this.drawer?.dataset.drawer ?? "";
    this.button.setAttribute("aria-expanded", String(this.isOpen));
    this.picture.classList.toggle("is-closed", this.drawer !== null && !this.isOpen);
  }
}
