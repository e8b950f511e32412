/** The frames of a replay, loaded a stretch at a time. Only where somebody rests is asked for. */

import type { Frame, Frames } from "../protocol";

const STRETCH = 40;
const KEPT = 12; // stretches; the longest unused goes first
const REST = 120; // milliseconds on a ply, before it is asked for

export type LoadFrames = (first: number, count: number, signal: AbortSignal) => Promise<Frames>;

export class FrameCache {
  private readonly stretches = new Map<number, Frame[]>();
  private readonly loading = new Map<number, Promise<Frame[]>>();
  private plies = 0;

  constructor(private readonly load: LoadFrames) {}

  /** Load the stretch around a ply, and with it what is the same for all frames. A ply past the end is the end. */
  async open(ply: number, signal: AbortSignal): Promise<Frames> {
    const first = Math.floor(ply / STRETCH) * STRETCH;
    const head = await this.load(first, STRETCH, signal).catch((error: unknown) => {
      if (first === 0) throw error;
      return this.load(0, STRETCH, signal);
    });
    this.plies = head.plies;
    const [found] = head.frames;
    if (found) this.keep(found.ply / STRETCH, await this.loadAll(found.ply, head.frames, signal));
    return head;
  }

  /** The frame of a ply. Rejects once the signal aborts: then nothing is asked for, or no more. */
  async frame(ply: number, signal: AbortSignal): Promise<Frame> {
    const number = Math.floor(ply / STRETCH);
    const underWay = await this.loading.get(number)?.catch(() => undefined);
    const frames = this.stretches.get(number) ?? underWay ?? (await this.fetch(number, signal));
    signal.throwIfAborted();
    this.keep(number, frames);
    if (ply % STRETCH > STRETCH / 2) void this.fetchNext(number + 1, signal);
    const frame = frames[ply % STRETCH];
    if (!frame) throw new Error(`there is no ply ${ply}`);
    return frame;
  }

  private async fetch(number: number, signal: AbortSignal): Promise<Frame[]> {
    const frames = this.loadRested(number, signal);
    this.loading.set(number, frames);
    return frames.finally(() => this.loading.get(number) === frames && this.loading.delete(number));
  }

  private async loadRested(number: number, signal: AbortSignal): Promise<Frame[]> {
    await new Promise((resolve) => setTimeout(resolve, REST));
    signal.throwIfAborted();
    const frames = await this.loadAll(number * STRETCH, [], signal);
    this.keep(number, frames);
    return frames;
  }

  /** The frames of a stretch, of which some are there: the server sends fewer at once where they are large. */
  private async loadAll(first: number, known: Frame[], signal: AbortSignal): Promise<Frame[]> {
    const frames = [...known];
    const wanted = Math.min(STRETCH, this.plies + 1 - first);
    while (frames.length < wanted) {
      const more = await this.load(first + frames.length, wanted - frames.length, signal);
      if (more.frames.length === 0) break;
      frames.push(...more.frames);
    }
    return frames;
  }

  /** Load the next stretch, if whoever is near it stays there. */
  private async fetchNext(number: number, signal: AbortSignal): Promise<void> {
    if (number * STRETCH > this.plies || this.stretches.has(number)) return;
    await this.fetch(number, signal).catch(() => undefined);
  }

  private keep(number: number, frames: Frame[]): void {
    this.stretches.delete(number);
    this.stretches.set(number, frames);
    const [oldest] = this.stretches.keys();
    if (this.stretches.size > KEPT && oldest !== undefined) this.stretches.delete(oldest);
  }
}
