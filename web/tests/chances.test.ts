import { describe, expect, it } from "vitest";
import { percentages } from "../src/chances/percent";
import type { SeatView, TableView } from "../src/protocol";
import { areas, chancesAt, widest } from "../src/replay/areas";
import { mayKnow } from "../src/table/chances";
import { newModel, withChances } from "../src/table/model";

describe("percentages", () => {
  it("add up to a hundred", () => {
    expect(percentages([0.625, 0.375])).toEqual([63, 37]);
    expect(percentages([1 / 3, 1 / 3, 1 / 3])).toEqual([34, 33, 33]);
    expect(percentages([0.994, 0.002, 0.002, 0.002])).toEqual([100, 0, 0, 0]);
    expect(percentages([0.4999, 0.5])).toEqual([50, 50]);
  });

  it("of a single seat are its own", () => {
    expect(percentages([0.416])).toEqual([42]);
    expect(percentages([])).toEqual([]);
  });
});

describe("the curve", () => {
  const curve = {
    plies: [0, 2, 4],
    chances: [
      [0.5, 0.5],
      [0.75, 0.25],
      [1, 0],
    ],
  };

  it("is as it was at the last point before a ply", () => {
    expect([0, 1, 2, 3, 4, 9].map((ply) => chancesAt(curve, ply)?.[0])).toEqual([0.5, 0.5, 0.75, 0.75, 1, 1]);
    expect(chancesAt({ plies: [], chances: [] }, 0)).toBeNull();
  });

  it("has an area for each seat, and together they fill it", () => {
    expect(areas(curve)).toEqual(["0,0 2,0 4,0 4,1 2,0.75 0,0.5", "0,0.5 2,0.75 4,1 4,1 2,1 0,1"]);
    expect(areas({ plies: [0], chances: [[0.5, 0.5]] })[1]).toBe("0,0.5 1,0.5 1,1 0,1");
  });

  it("has a letter where an area is highest, but not at its sides", () => {
    expect(widest(curve, 0)).toEqual({ ply: 2, middle: 0.375, height: 0.75 });
    expect(widest(curve, 1)).toEqual({ ply: 2, middle: 0.875, height: 0.25 });
  });
});

describe("win chances at a table", () => {
  const seats = ["person", "person"].map((kind) => ({ kind }) as SeatView);
  const table = { judged: true, phase: "playing", you: 0, hints: false, seats } as TableView;

  it("are for all where hints are allowed, and once it is over", () => {
    const hinted = { ...table, hints: true };
    expect(mayKnow(table)).toBe(false);
    expect(mayKnow({ ...table, you: null })).toBe(false);
    expect(mayKnow({ ...table, seats: [seats[0] as SeatView, { kind: "bot" } as SeatView] })).toBe(false);
    expect(mayKnow(hinted)).toBe(true);
    expect(mayKnow({ ...hinted, you: null })).toBe(true);
    expect(mayKnow({ ...table, phase: "over" })).toBe(true);
    expect(mayKnow({ ...hinted, judged: false })).toBe(false);
    expect(mayKnow({ ...hinted, phase: "open" })).toBe(false);
  });

  it("belong to their ply", () => {
    const model = newModel({ ...table, chances: null, position: { ply: 3 } } as TableView, 0);
    expect(withChances(model, { type: "chances", ply: 3, chances: [0.6, 0.4] }).table.chances).toEqual([0.6, 0.4]);
    expect(withChances(model, { type: "chances", ply: 2, chances: [0.6, 0.4] }).table.chances).toBeNull();
  });
});
