import { expect, test } from "vitest";

import type { Frame, Frames } from "../src/protocol";
import { FrameCache } from "../src/replay/frame-cache";

const PLIES = 100;
const MOST = 7; // that this server puts into one answer, however many were asked for

/** A server whose frames are large. */
function frugal(asked: number[]): (first: number, count: number) => Promise<Frames> {
  return (first, count) => {
    asked.push(first);
    const found = Math.min(count, MOST, PLIES + 1 - first);
    const frames = Array.from({ length: found }, (_, index) => ({ ply: first + index }) as Frame);
    return Promise.resolve({ plies: PLIES, frames } as Frames);
  };
}

test("a server that sends fewer frames than were asked for is asked again", async () => {
  const cache = new FrameCache(frugal([]));
  const { signal } = new AbortController();
  await cache.open(39, signal);
  for (const ply of [0, 6, 7, 39, 40, 79, 80, 99, 100]) expect((await cache.frame(ply, signal)).ply).toBe(ply);
});

test("what is there is not asked for again, and nothing beyond the end", async () => {
  const asked: number[] = [];
  const cache = new FrameCache(frugal(asked));
  const { signal } = new AbortController();
  await cache.open(85, signal);
  await cache.frame(100, signal);
  expect(asked).toEqual([80, 87, 94]);
});

/** A replay of a hundred plies, and what was asked for of it. */
function cache(): { frames: FrameCache; asked: number[] } {
  const asked: number[] = [];
  const load = async (first: number, count: number): Promise<Frames> => {
    asked.push(first);
    const plies = Array.from({ length: Math.min(count, PLIES + 1 - first) }, (_, at) => first + at);
    return { plies: PLIES, frames: plies.map((ply) => ({ ply }) as Frame) } as Frames;
  };
  return { frames: new FrameCache(load), asked };
}

const never = new AbortController().signal;

test("a stretch is asked for once", async () => {
  const { frames, asked } = cache();
  await frames.open(0, never);
  expect(await Promise.all([3, 7, 3].map((ply) => frames.frame(ply, never)))).toMatchObject([
    { ply: 3 },
    { ply: 7 },
    { ply: 3 },
  ]);
  expect(asked).toEqual([0]);
});

test("who is near the end of a stretch has the next one in time", async () => {
  const { frames, asked } = cache();
  await frames.open(0, never);
  await frames.frame(30, never);
  expect(await frames.frame(41, never)).toMatchObject({ ply: 41 });
  expect(asked).toEqual([0, 40]);
});

test("only where somebody rests is asked for", async () => {
  const { frames, asked } = cache();
  await frames.open(0, never);
  const passing = new AbortController();
  const passed = frames.frame(60, passing.signal);
  passing.abort();
  await expect(passed).rejects.toThrow();
  expect(await frames.frame(90, never)).toMatchObject({ ply: 90 });
  expect(asked).toEqual([0, 80]);
});

test("a ply past the end opens the beginning", async () => {
  const asked: number[] = [];
  const frames = new FrameCache(async (first) => {
    asked.push(first);
    if (first > PLIES) throw new Error("no such ply");
    return { plies: PLIES, frames: Array.from({ length: 40 }, (_, ply) => ({ ply }) as Frame) } as Frames;
  });
  expect((await frames.open(99_999, never)).plies).toBe(PLIES);
  expect(asked).toEqual([99_960, 0]);
});
