/** The frames of a replay, loaded a stretch at a time, those around where one looks first. */

import type { Frame, Frames } from "../protocol";

const STRETCH = 40;
const KEPT = 12; // stretches; the longest unused goes first

export class Reel {
  private stretches = new Map<number, Promise<Frame[]>>();
  private plies = 0;

  constructor(private readonly load: (first: number, count: number) => Promise<Frames>) {}

  /** Load the stretch around a ply, and with it what is the same for all frames. A ply past the end is the end. */
  async open(ply: number): Promise<Frames> {
    const first = Math.floor(Math.max(0, ply) / STRETCH) * STRETCH;
    const head = await this.load(first, STRETCH).catch((error: unknown) => {
      if (first === 0) throw error;
      return this.load(0, STRETCH);
    });
    this.plies = head.plies;
    if (head.frames[0]) this.stretches.set(head.frames[0].ply / STRETCH, Promise.resolve(head.frames));
    return head;
  }

  async frame(ply: number): Promise<Frame> {
    const number = Math.floor(ply / STRETCH);
    const frames = await this.stretch(number);
    const isNear = ply % STRETCH > STRETCH / 2 && (number + 1) * STRETCH <= this.plies;
    if (isNear) void this.stretch(number + 1).catch(() => undefined);
    const frame = frames[ply % STRETCH];
    if (!frame) throw new Error(`there is no ply ${ply}`);
    return frame;
  }

  private stretch(number: number): Promise<Frame[]> {
    const known = this.stretches.get(number);
    const frames = known ?? this.load(number * STRETCH, STRETCH).then((found) => found.frames);
    this.stretches.delete(number);
    this.stretches.set(number, frames);
    if (!known) frames.catch(() => this.stretches.delete(number));
    const [oldest] = this.stretches.keys();
    if (this.stretches.size > KEPT && oldest !== undefined) this.stretches.delete(oldest);
    return frames;
  }
}
