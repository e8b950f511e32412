/** How likely each seat was to win: the bar at the ply that is shown, and the curve of the whole match below it. */

import { ChanceBar } from "../chances/bar";
import { ChanceSwitch } from "../chances/switch";
import { fill, h, s } from "../dom";
import { t } from "../language";
import { errorText } from "../pages/error";
import type { Curve, Frames } from "../protocol";
import { toast } from "../toast";
import { areas, chancesAt, widest } from "./areas";

const ROOM = 0.3; // of the height, which a seat's letter needs

export class Course {
  readonly switch: ChanceSwitch;
  readonly element: HTMLElement;
  private readonly bar = new ChanceBar();
  private readonly cursor = h("span", { class: "cursor" });
  private readonly picture = h("div", {
    class: "curve",
    role: "img",
    "aria-label": t("courseOfChances"),
    title: t("courseOfChances"),
    "data-testid": "curve",
  });
  private readonly covered = h("span", { class: "to-come", hidden: true });
  private curve: Curve | null = null;
  private isLoading = false;
  private ply = 0;
  private furthest = 0; // ply that was shown

  constructor(
    private readonly head: Frames,
    private readonly load: () => Promise<Curve>,
    private readonly jump: (ply: number) => void,
  ) {
    this.switch = new ChanceSwitch(
      () => "watchChances",
      () => this.render(),
    );
    this.element = h("div", { class: "course", hidden: true }, this.bar.element, this.picture);
    this.picture.addEventListener("pointerdown", (event) => {
      this.picture.setPointerCapture(event.pointerId);
      this.seek(event);
    });
    this.picture.addEventListener("pointermove", (event) => event.buttons & 1 && this.seek(event));
  }

  /** The match has a curve: it can be asked for. */
  offer(): void {
    this.switch.button.hidden = false;
    this.render();
  }

  /** What comes after the plies that were shown is covered: it would tell how the match ends. */
  cover(isCovered: boolean): void {
    this.covered.hidden = !isCovered;
  }

  show(ply: number): void {
    this.ply = ply;
    this.furthest = Math.max(this.furthest, ply);
    this.render();
  }

  private render(): void {
    const isShown = this.switch.isOn && !this.switch.button.hidden;
    this.element.hidden = this.bar.element.hidden = !isShown;
    if (!isShown) return;
    if (!this.curve) void this.fetch();
    const { marks, names, plies } = this.head;
    this.bar.show(this.curve && chancesAt(this.curve, this.ply), marks, names);
    this.cursor.style.insetInlineStart = `${(100 * this.ply) / Math.max(1, plies)}%`;
    this.covered.style.insetInlineStart = `${(100 * this.furthest) / Math.max(1, plies)}%`;
  }

  private async fetch(): Promise<void> {
    if (this.isLoading) return;
    this.isLoading = true;
    try {
      this.curve = await this.load();
      this.draw(this.curve);
    } catch (error) {
      this.switch.button.hidden = true; // without it the match can still be watched
      toast(errorText(error), "error");
    }
    this.render();
  }

  private draw(curve: Curve): void {
    const { marks } = this.head;
    const last = Math.max(1, curve.plies.at(-1) ?? 1);
    const parts = areas(curve).map((points, seat) =>
      s("polygon", { points, fill: marks[seat]?.colour ?? "currentColor" }),
    );
    const letters = marks.map(({ letter, ink }, seat) => {
      const { ply, middle, height } = widest(curve, seat);
      if (height < ROOM) return null;
      const element = h("b", { "aria-hidden": "true" }, letter);
      Object.assign(element.style, { color: ink, left: `${(100 * ply) / last}%`, top: `${100 * middle}%` });
      return element;
    });
    const picture = s("svg", { viewBox: `0 0 ${last} 1`, preserveAspectRatio: "none", "aria-hidden": "true" });
    picture.append(...parts);
    fill(this.picture, picture, ...letters, this.covered, this.cursor);
  }

  private seek(event: PointerEvent): void {
    const box = this.picture.getBoundingClientRect();
    const part = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    const ply = Math.round(part * this.head.plies);
    if (ply !== this.ply) this.jump(ply);
  }
}
