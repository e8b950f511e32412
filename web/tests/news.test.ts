import { describe, expect, it, vi } from "vitest";
import type { SeatView, TableView, Update } from "../src/protocol";
import { newModel } from "../src/table/model";
import { newsOf } from "../src/table/news";
import { sorted } from "../src/table/seats";

vi.stubGlobal("navigator", { languages: ["en"] });

const seats = ["Ada", "Bob"].map((name, seat) => ({ name, seat }) as SeatView);
const table = (more: Partial<TableView>): TableView => ({ you: 0, seats, offer: null, ...more }) as TableView;
const update = (more: Partial<Update>): Update =>
  ({ seat: 1, kind: "act", phase: "playing", events: [], offer: null, ...more }) as Update;
const news = (before: Partial<TableView>, after: Partial<Update>): string[] =>
  newsOf(newModel(table(before), 0), update(after), ["Red", "Blue"]);

describe("what everybody should notice", () => {
  it("is that a draw was declined, in words or by playing on", () => {
    expect(news({ offer: 0 }, { kind: "decline" })).toEqual(["Bob declines the draw."]);
    expect(news({ offer: 0 }, { kind: "act" })).toEqual(["Bob declines the draw."]);
    expect(news({ offer: 0 }, { kind: "agree", phase: "over" })).toEqual([]);
    expect(news({ offer: 1 }, { kind: "act" })).toEqual([]);
  });

  it("is that the other wants a rematch", () => {
    expect(news({}, { kind: "rematch", phase: "over" })).toEqual(["Bob wants a rematch."]);
    expect(news({}, { kind: "rematch", phase: "over", seat: 0 })).toEqual([]);
  });

  it("is the seat that the lot gives you", () => {
    const start = { kind: "start", seat: -1, body: { seating: [1, 0] } };
    expect(news({}, start)).toEqual(["The lot is drawn: you are Blue."]);
    expect(news({ you: null }, start)).toEqual([]);
  });

  it("is what the rules say loudly, and nothing else", () => {
    const events = [
      { text: "Bob is out", steps: [], loud: true, quiet: false },
      { text: "Bob moves", steps: [], loud: false, quiet: false },
    ];
    expect(news({ you: null }, { events })).toEqual(["Bob is out."]);
  });
});

describe("many seats", () => {
  const crowd = [3, 9, 1, 9, 0, 2, 5].map((score, seat) => ({ seat, score }) as SeatView);
  const order = (more: Partial<TableView>): number[] =>
    sorted(table({ seats: crowd, you: 4, phase: "playing", ...more })).map(({ seat }) => seat);

  it("are sorted by score, you first", () => expect(order({})).toEqual([4, 1, 3, 6, 0, 5, 2]));
  it("stay in their places before the match", () => expect(order({ phase: "open" })).toEqual([0, 1, 2, 3, 4, 5, 6]));
  it("stay in their places where they are few", () => expect(order({ seats: crowd.slice(0, 6) })).toHaveLength(6));
});
