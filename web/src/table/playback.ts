/**
 * Brings what is shown to what is true, by way of what moved. The newest always wins: the more moves wait to be seen, the
 * faster they move. Where motion fails or takes too long, and where nobody looks, it is left out.
 */

import type { Board } from "../board";
import { Coalesced } from "../coalesce";
import { layDice, Motion, soundsOf, timeToSee } from "../motion";
import type { EventView } from "../protocol";
import { sound } from "../sound";
import { type Settings, settings } from "../storage";
import { withTimeout } from "../timeout";
import { timeFor, type Waiting } from "./lag";
import { isBotsTurn, type Model } from "./model";

const PATIENCE = 3000; // milliseconds that a move may take beyond its time, before it is given up

interface Moment extends Waiting {
  model: Model; // how things are after it
  events: EventView[];
}

export class Playback {
  private waiting: Moment[] = [];
  private motion: Motion | null = null;
  private latest: Model | null = null;
  private before = -Infinity; // when the last move was told that has been shown
  private isHurried = false; // nothing moves until it is a person's turn
  private readonly drawing = new Coalesced(() => this.draw());

  /** `show` draws the table; it is called once for many models that come at the same time. `tell` says what is shown of
   * what is to be followed. */
  constructor(
    private readonly board: Board,
    private readonly show: (model: Model) => void,
    private readonly tell: (told: EventView) => void = () => undefined,
  ) {
    document.addEventListener("visibilitychange", this.lookedAway);
  }

  /** Something happened that is to be seen; `isWhole`: at a pace that can be followed. */
  move(model: Model, events: EventView[], isWhole = false): void {
    const { speed } = settings();
    if (speed === "off" || document.hidden || this.isHurried) {
      if (!document.hidden && !this.isHurried) hear(events);
      this.skipTo(model);
      this.lay(events);
      return;
    }
    this.waiting.push({ model, events, at: performance.now(), takes: timeToSee(events, paceOf(speed)), isWhole });
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
    this.isHurried &&= isBotsTurn(model);
    if (this.waiting.length === 0) {
      this.drawing.request();
      return;
    }
    this.waiting = [];
    this.motion?.end();
    this.drawing.run(); // at once: what moved is back where it came from
  }

  /** Show how things are now, without what still waits to be seen. */
  catchUp(): void {
    const last = this.waiting.at(-1);
    if (!last) return;
    for (const { events } of this.waiting) this.lay(events);
    this.skipTo(last.model);
  }

  /** Nothing of what bots do moves until it is a person's turn. */
  hurry(): void {
    this.isHurried = true;
  }

  stop(): void {
    document.removeEventListener("visibilitychange", this.lookedAway);
    this.waiting = [];
    this.motion?.end();
    this.drawing.cancel();
  }

  private async play(): Promise<void> {
    for (let moment = this.waiting[0]; moment; moment = this.waiting[0]) {
      const { speed } = settings();
      const time = timeFor(this.waiting, this.before, performance.now(), paceOf(speed));
      this.before = moment.at;
      if (speed !== "off" && time > 0) {
        this.drawing.run(); // what moves next stands where it came from
        const motion = new Motion(this.board, speed, sound, moment.takes / time);
        this.motion = motion;
        await withTimeout(motion.play(moment.events, moment.isWhole ? this.tell : undefined), time + PATIENCE).catch(
          () => undefined,
        );
        if (moment !== this.waiting[0]) return; // it was skipped meanwhile
        motion.end();
      } else this.lay(moment.events);
      this.waiting.shift();
      this.latest = moment.model;
      if (time > 0) this.drawing.run();
      else this.drawing.request();
    }
  }

  /** What was thrown is to be seen, though it does not roll: the story tells it, too. */
  private lay(events: EventView[]): void {
    layDice(this.board.thrown, events).catch(() => undefined);
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

/** What happens without motion is heard nevertheless: the last sound of it. */
function hear(events: readonly EventView[]): void {
  const last = events.flatMap((told) => [...soundsOf(told)]).at(-1);
  if (last) sound(last);
}

const paceOf = (speed: Settings["speed"]): "fast" | "normal" => (speed === "fast" ? "fast" : "normal");
