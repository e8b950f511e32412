/** What moves: the steps of events, played on the old picture before the new one takes its place. */

import { h } from "./dom";
import { middle, type Point } from "./geometry";
import type { EventView, Step } from "./protocol";
import type { SoundName } from "./sound";
import type { Settings } from "./storage";
import { capital } from "./text";
import { withTimeout } from "./timeout";

/** What a motion needs of the board. */
export interface Stage {
  readonly over: HTMLElement; // where dice roll
  readonly thrown: HTMLElement; // where they lie afterwards
  item(id: string): SVGGraphicsElement | null;
  place(spot: string): DOMRect | null;
}

const STEP = { fast: 90, normal: 210 };
const FLIGHT = { fast: 220, normal: 520 };
const FLASH = { fast: 240, normal: 620 };
const LONGEST_WALK = 1600;
const ROLL = { fast: 850, normal: 2100 };
const HASTE = 1.4; // from there on dice are rolled flat, which takes less time
const DICE_LOAD = 800; // milliseconds that the first roll may wait for its code

export class Motion {
  private readonly ended = new AbortController();
  private animations: Animation[] = [];
  private offsets = new Map<string, Point>();

  /** `haste` is how many times as fast as usual everything moves. */
  constructor(
    private readonly stage: Stage,
    private readonly speed: Settings["speed"],
    private readonly sound: (name: SoundName) => void,
    private readonly haste = 1,
  ) {}

  /** Play the events one after another, and tell each; what has moved stays where it went until `end`. */
  async play(events: readonly EventView[], tell: (told: EventView) => void = () => undefined): Promise<void> {
    if (this.speed === "off") return;
    for (const told of events) {
      if (this.ended.signal.aborted) return;
      for (const name of soundsOf(told)) this.sound(name);
      tell(told);
      await Promise.all(told.steps.map((step) => this.step(step)));
      await layDice(this.stage.thrown, [told]);
    }
  }

  /** End all motion, because another picture shows its result. */
  end(): void {
    this.ended.abort();
    for (const animation of this.animations) animation.cancel();
    this.animations = [];
    this.offsets.clear();
  }

  private async step(step: Step): Promise<void> {
    if (step.do === "dice") return this.dice(step.values, step.sides);
    if (isReduced()) return;
    if (step.do === "walk") return this.walk(step.item, step.spots);
    if (step.do === "fly") return this.fly(step.item, step.to);
    await Promise.all(step.spots.map((spot) => this.flash(spot)));
  }

  private async dice(values: number[], sides: number): Promise<void> {
    const { rollDice } = await withTimeout(import("./dice/index"), DICE_LOAD);
    const { haste } = this;
    const flat = isReduced() || haste >= HASTE;
    const options = { speed: this.pace, haste, flat, signal: this.ended.signal };
    if (!this.ended.signal.aborted) await rollDice(this.stage.over, values, sides, options);
  }

  private get pace(): "fast" | "normal" {
    return this.speed === "fast" ? "fast" : "normal";
  }

  private async walk(id: string, spots: string[]): Promise<void> {
    const item = this.stage.item(id);
    const goals = spots.map((spot) => this.stage.place(spot)).filter((box) => box !== null);
    if (!item || goals.length === 0) return;
    const from = this.offsets.get(id) ?? { x: 0, y: 0 };
    const path = [from, ...goals.map((box) => this.offset(item, from, middle(box)))];
    this.offsets.set(id, path.at(-1) ?? from);
    raise(item);
    const duration = walkTime(goals.length, this.pace);
    const frames = path.map((point) => ({ translate: pixels(point) }));
    await this.run(item, frames, { duration, easing: "ease-in-out", fill: "forwards" });
  }

  private async fly(id: string, to: string): Promise<void> {
    const item = this.stage.item(id);
    const goal = this.stage.place(to);
    if (!item || !goal) return;
    const from = this.offsets.get(id) ?? { x: 0, y: 0 };
    const end = this.offset(item, from, middle(goal));
    this.offsets.set(id, end);
    raise(item);
    const frames = [
      { translate: pixels(from) },
      { translate: pixels(end), opacity: to.startsWith("seat-") ? 0.15 : 1 },
    ];
    await this.run(item, frames, {
      duration: FLIGHT[this.pace],
      easing: "cubic-bezier(.5,-.1,.6,1)",
      fill: "forwards",
    });
  }

  private async flash(spot: string): Promise<void> {
    const box = this.stage.place(spot);
    if (!box) return;
    const base = this.stage.over.getBoundingClientRect();
    const ring = document.createElement("span");
    ring.className = "flash";
    const side = Math.max(box.width, box.height) * 1.25;
    const { x, y } = middle(box);
    Object.assign(ring.style, {
      left: `${x - base.x - side / 2}px`,
      top: `${y - base.y - side / 2}px`,
      width: `${side}px`,
      height: `${side}px`,
    });
    this.stage.over.append(ring);
    const frames = [
      { opacity: 0, transform: "scale(.5)" },
      { opacity: 1, transform: "scale(1)", offset: 0.35 },
      { opacity: 0, transform: "scale(1.35)" },
    ];
    await this.run(ring, frames, { duration: FLASH[this.pace] }).finally(() => ring.remove());
  }

  /** How far the item must be moved, in its parent's units, for its middle to come to a point of the screen. */
  private offset(item: SVGGraphicsElement, now: Point, goal: Point): Point {
    const inverse = (item.parentElement as unknown as SVGGraphicsElement).getScreenCTM()?.inverse();
    const here = middle(item.getBoundingClientRect());
    if (!inverse) return now;
    const from = new DOMPoint(here.x, here.y).matrixTransform(inverse);
    const to = new DOMPoint(goal.x, goal.y).matrixTransform(inverse);
    return { x: now.x + to.x - from.x, y: now.y + to.y - from.y };
  }

  private async run(element: Element, frames: Keyframe[], options: KeyframeAnimationOptions): Promise<void> {
    const animation = element.animate(frames, options);
    animation.playbackRate = this.haste;
    this.animations.push(animation);
    await animation.finished.catch(() => undefined);
  }
}

const HEARD: Partial<Record<Step["do"], SoundName>> = { dice: "dice", walk: "move", fly: "take" };

/** What is heard of an event: each sound once, however much moves. */
export const soundsOf = ({ steps }: EventView): Set<SoundName> =>
  new Set(steps.flatMap((step) => HEARD[step.do] ?? []));

const walkTime = (spots: number, pace: "fast" | "normal"): number =>
  Math.min(STEP[pace] * Math.max(spots, 1.5), LONGEST_WALK);

/** The milliseconds that it takes to see these events, one after another. */
export function timeToSee(events: readonly EventView[], pace: "fast" | "normal"): number {
  const timeOf = (step: Step): number => {
    if (step.do === "dice") return ROLL[pace];
    if (isReduced()) return 0;
    if (step.do === "walk") return walkTime(step.spots.length, pace);
    return step.do === "fly" ? FLIGHT[pace] : FLASH[pace];
  };
  return events.reduce((sum, { steps }) => sum + Math.max(0, ...steps.map(timeOf)), 0);
}

/** Leave the last dice of these events to be seen, with what was told of them. */
export async function layDice(place: HTMLElement, events: readonly EventView[]): Promise<void> {
  const told = events.findLast(({ steps }) => steps.some((step) => step.do === "dice"));
  const dice = told?.steps.find((step) => step.do === "dice");
  if (!told || dice?.do !== "dice") return;
  if (!dice.stay) {
    place.hidden = true; // the picture shows them
    return;
  }
  const { lay } = await withTimeout(import("./dice/flat"), DICE_LOAD);
  place.hidden = false;
  place.replaceChildren(...lay(dice.values, dice.sides), h("span", {}, capital(told.text)));
}

const pixels = ({ x, y }: Point): string => `${x}px ${y}px`;

/** Draw the item above its neighbours while it moves; its group keeps its other children's order. */
function raise(item: SVGGraphicsElement): void {
  item.parentElement?.append(item);
}

export function isReduced(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
