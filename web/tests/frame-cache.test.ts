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
