/**
 * Brings what is shown to what is true, by way of what moved. The newest always wins: where motion fails or takes too
 * long, where more moves wait than one wants to see, and where nobody looks, it is left out.
 */

import type { Board } from "../board";
import { Coalesced } from "../coalesce";
import { layDice, Motion } from "../motion";
import type { Told } from "../protocol";
import { sound } from "../sound";
import { settings } from "../storage";
import { withTimeout } from "../timeout";
import type { Model } from "./model";

const BEHIND = 8; // moves that may wait to be seen: a few bots answer at once
const LONGEST = 5000; // milliseconds that one move may take to be seen
const ROLL = 2500; // milliseconds more for each roll of dice after the first
const LATEST = 12_000; // milliseconds after which a move that still waits is not worth seeing
const CALM = 1000; // milliseconds without motion, once it came too fast

interface Moment {
  model: Model; // how things are after it
  events: Told[];
  at: number; // when it was told
}

export class Playback {
  private waiting: Moment[] = [];
  private motion: Motion | null = null;
  private latest: Model | null = null;
  private calmUntil = 0;
  private readonly drawing = new Coalesced(() => this.draw());

  /** `show` draws the table; it is called once for many models that come at the same time. */
  constructor(
    private readonly board: Board,
    private readonly show: (model: Model) => void,
  ) {
    document.addEventListener("visibilitychange", this.lookedAway);
  }

  /** Something happened that is to be seen. */
  move(model: Model, events: Told[]): void {
    const isSeen = settings().speed !== "off" && !document.hidden && performance.now() >= this.calmUntil;
    if (!isSeen || this.waiting.length >= BEHIND) {
      this.skipTo(model);
      layDice(this.board.thrown, events).catch(() => undefined); // the story tells them, too
      return;
    }
    this.waiting.push({ model, events, at: performance.now() });
    if (this.waiting.length === 1) void this.play();
  }

  /** Something changed that is not on the board. */
  change(model: Model): void {
    const last = this.waiting.at(-1);
    if (last) last.model = model;
    else this.skipTo(model);
  }

  /** Show this, whatever still moves. */
  skipTo(model: Model): void {
    this.latest = model;
    if (this.waiting.length === 0) {
      this.drawing.request();
      return;
    }
    this.waiting = [];
    this.calmUntil = performance.now() + CALM;
    this.motion?.end();
    this.drawing.run(); // at once: what moved is back where it came from
  }

  /** Show how things are now, without what still waits to be seen. */
  catchUp(): void {
    const last = this.waiting.at(-1);
    if (last) this.skipTo(last.model);
  }

  stop(): void {
    document.removeEventListener("visibilitychange", this.lookedAway);
    this.waiting = [];
    this.motion?.end();
    this.drawing.cancel();
  }

  private async play(): Promise<void> {
    let moment = this.waiting[0];
    while (moment && moment === this.waiting[0]) {
      this.drawing.run(); // what moves next stands where it came from
      const motion = new Motion(this.board, this.waiting.length > 1 ? "fast" : settings().speed, sound);
      this.motion = motion;
      await withTimeout(motion.play(moment.events), longest(moment.events)).catch(() => undefined);
      if (moment !== this.waiting[0]) return; // it was skipped meanwhile
      motion.end();
      this.waiting.shift();
      this.latest = moment.model;
      this.drawing.run();
      moment = this.waiting[0];
      if (moment && performance.now() - moment.at > LATEST) this.catchUp();
    }
  }

  private draw(): void {
    const model = this.latest;
    this.latest = null;
    if (model) this.show(model);
  }

  private readonly lookedAway = (): void => {
    if (document.hidden) this.catchUp();
  };
}

function longest(events: readonly Told[]): number {
  const rolls = events.filter(({ steps }) => steps.some((step) => step.do === "dice")).length;
  return LONGEST + ROLL * Math.max(0, rolls - 1);
}
