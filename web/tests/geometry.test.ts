import { describe, expect, it } from "vitest";
import { type Arrow, arrowOf, fullest, neighbour, within } from "../src/geometry";

/** A board of 4 by 3 squares, named by column and row. */
const squares = new Map<string, { x: number; y: number }>();
for (let x = 0; x < 4; x += 1) for (let y = 0; y < 3; y += 1) squares.set(`${x}${y}`, { x: x * 50, y: y * 50 });

const from = (name: string, arrow: Arrow): string | undefined =>
  neighbour(squares.get(name) ?? { x: NaN, y: NaN }, arrow, squares);

describe("arrow keys", () => {
  it.each([
    ["11", "ArrowUp", "10"],
    ["11", "ArrowDown", "12"],
    ["11", "ArrowLeft", "01"],
    ["11", "ArrowRight", "21"],
  ] as const)("lead from %s by %s to %s", (start, arrow, goal) => expect(from(start, arrow)).toBe(goal));

  it("lead nowhere at the edge", () => {
    expect(from("00", "ArrowUp")).toBeUndefined();
    expect(from("32", "ArrowRight")).toBeUndefined();
  });

  it("prefer what lies straight ahead to what is nearer but aside", () => {
    const places = new Map([
      ["ahead", { x: 100, y: 0 }],
      ["aside", { x: 50, y: 50 }],
    ]);
    expect(neighbour({ x: 0, y: 0 }, "ArrowRight", places)).toBe("ahead");
  });

  it("reach what is aside where nothing else is", () => {
    const places = new Map([["aside", { x: 30, y: 60 }]]);
    expect(neighbour({ x: 0, y: 0 }, "ArrowRight", places)).toBe("aside");
  });
});

describe("a rubber band", () => {
  it("holds what is inside, whichever corner it was drawn from", () => {
    const held = ["11", "12", "21", "22"];
    expect(within({ x: 40, y: 40 }, { x: 110, y: 110 }, squares).sort()).toEqual(held);
    expect(within({ x: 110, y: 110 }, { x: 40, y: 40 }, squares).sort()).toEqual(held);
  });
});

describe("ways", () => {
  it("have the arrow that points most nearly there", () => {
    expect(arrowOf({ x: 0, y: 0 }, { x: 9, y: 2 })).toBe("ArrowRight");
    expect(arrowOf({ x: 0, y: 0 }, { x: -2, y: -9 })).toBe("ArrowUp");
  });
});

describe("a window over points", () => {
  it("has as many of them in it as any, and lies in their middle", () => {
    const points = [
      { x: 0, y: 0 },
      { x: 50, y: 50 },
      { x: 60, y: 50 },
      { x: 50, y: 62 },
    ];
    expect(fullest(points, 30, 30)).toEqual({ x: 55, y: 56 });
    expect(fullest(points, 200, 200)).toEqual({ x: 30, y: 31 });
    expect(fullest([{ x: 3, y: 4 }], 1, 1)).toEqual({ x: 3, y: 4 });
  });
});
