import { describe, expect, it } from "vitest";
import { Orders, portion } from "../src/orders";
import type { ChoiceView } from "../src/protocol";

const order = (action: number, square: string, to: string, way: string): ChoiceView => ({
  action,
  text: "",
  picks: [square, to],
  way,
});
const choices = [
  { action: 0, text: "end" },
  order(1, "A1", "B1", "east"),
  order(2, "A1", "B1", "east"),
  order(3, "A1", "B1", "east"),
  order(4, "A1", "A0", "north"),
  order(5, "C1", "D1", "east"),
];

describe("orders for many squares", () => {
  const orders = new Orders(choices);

  it("know the squares and the ways", () => {
    expect(orders.squares).toEqual(["A1", "C1"]);
    expect([...orders.ways()]).toEqual([
      ["east", { from: "A1", to: "B1" }],
      ["north", { from: "A1", to: "A0" }],
    ]);
  });

  it("give one action for each square that can go that way", () => {
    expect(orders.actions(["A1", "C1"], "east", "all")).toEqual([3, 5]);
    expect(orders.actions(["A1", "C1"], "east", "half")).toEqual([2, 5]);
    expect(orders.actions(["A1", "C1"], "east", "one")).toEqual([1, 5]);
    expect(orders.actions(["C1"], "north", "all")).toEqual([]);
  });

  it("know which order an action gives", () => {
    expect(orders.given(2)).toEqual({ from: "A1", to: "B1", way: "east", count: 2, isAll: false });
    expect(orders.given(3)?.isAll).toBe(true);
    expect(orders.given(0)).toBeNull();
  });

  it("are given once more: as many as then, or all again, and no more than there are", () => {
    const again = (count: number, isAll = false): number[] =>
      orders.again([{ from: "A1", to: "B1", way: "east", count, isAll }]);
    expect(again(2)).toEqual([2]);
    expect(again(9)).toEqual([3]);
    expect(again(1, true)).toEqual([3]);
  });

  it("go on from where the pieces went, where nobody is left", () => {
    expect(orders.again([{ from: "B1", to: "C1", way: "east", count: 4, isAll: true }])).toEqual([5]);
    expect(orders.again([{ from: "X1", to: "Y1", way: "east", count: 4, isAll: true }])).toEqual([]);
  });

  it("send no piece twice when they are given once more", () => {
    const east = { from: "A1", to: "B1", way: "east", count: 1, isAll: false };
    expect(orders.again([east, { ...east, way: "north", to: "A0", isAll: true }, east])).toEqual([1]);
  });

  it("do not exist where no choice has a way", () => {
    expect(new Orders([{ action: 0, text: "end" }]).exist).toBe(false);
    expect(portion([], "half")).toBeUndefined();
  });
});
