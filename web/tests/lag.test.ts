import { expect, test } from "vitest";
import { timeFor, type Waiting } from "../src/table/lag";

/** How long a page takes for moves that are told at these times, and how many of them it shows. */
function play(moves: readonly Waiting[], speed: "fast" | "normal"): { late: number; seen: number; ends: number[] } {
  const told = [...moves];
  const waiting: Waiting[] = [];
  const ends: number[] = [];
  let now = 0;
  let before = -Infinity;
  let seen = 0;
  while (told.length > 0 || waiting.length > 0) {
    if (waiting.length === 0) now = Math.max(now, told[0]?.at ?? 0);
    while (told[0] && told[0].at <= now) waiting.push(...told.splice(0, 1));
    const time = timeFor(waiting, before, now, speed);
    before = waiting.shift()?.at ?? 0;
    now += time;
    if (time > 0) seen += 1;
    ends.push(now);
  }
  return { late: now - (moves.at(-1)?.at ?? 0), seen, ends };
}

const moves = (count: number, every: number, takes: number): Waiting[] =>
  Array.from({ length: count }, (_, place) => ({ at: place * every, takes }));

test("a move that comes alone takes its time", () => {
  expect(play(moves(3, 5000, 3700), "normal")).toMatchObject({ late: 3700, seen: 3 });
});

test("three bots that answer at once are all seen, one after another, and soon", () => {
  const { late, seen, ends } = play(moves(4, 50, 3700), "normal");
  expect(seen).toBe(4);
  expect(late).toBeLessThan(6000); // the first of them is seen in full: it is one's own
  expect(Math.min(...ends.slice(1).map((end, place) => end - (ends[place] ?? 0)))).toBeGreaterThan(250);
});

test("a long turn is never far behind, and nearly all of it is seen", () => {
  for (const speed of ["normal", "fast"] as const) {
    const { late, seen } = play(moves(50, 120, 900), speed);
    expect(late).toBeLessThan(speed === "fast" ? 900 : 2300);
    expect(seen).toBeGreaterThan(35);
  }
});

test("of hundreds that come at once the last are seen", () => {
  const { late, seen } = play(moves(400, 1, 900), "normal");
  expect(late).toBeLessThan(4000);
  expect(seen).toBeLessThan(40);
});

test("what came of your own turn can be followed, whatever comes after it; the rest catches up", () => {
  const own = { at: 0, takes: 3000, isWhole: true };
  const bots = moves(20, 100, 900).map(({ at, takes }) => ({ at: at + 100, takes }));
  const { late, ends } = play([own, ...bots], "normal");
  expect(ends[0]).toBe(3000);
  expect(late).toBeLessThan(3500);
  expect(play([{ at: 0, takes: 60_000, isWhole: true }], "normal").late).toBe(4500);
});

test("what does not move takes no time", () => {
  expect(play(moves(5, 100, 0), "normal")).toMatchObject({ late: 0, seen: 0 });
});
