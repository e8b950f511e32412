import { describe, expect, it } from "vitest";
import type { Position, SeatView, TableView, Update } from "../src/protocol";
import { isYourTurn, newModel, order, timeLeft, withChoices, withUpdate } from "../src/table/model";
import { shown } from "../src/table/seats";

const position = (ply: number, to_move: number): Position => ({
  ply,
  turn: 0,
  to_move,
  scores: [0, 0],
  picks: [],
  scene: null,
  state: null,
});
const seat = (number: number): SeatView => ({
  seat: number,
  kind: "person",
  name: `N${number}`,
  nonce: "",
  seal: "",
  score: 0,
  here: true,
  stand_in: null,
  away: null,
  resigned: false,
  left: 60,
});
const table = {
  number: 5,
  phase: "playing",
  you: 0,
  seats: [seat(0), seat(1)],
  story: ["a"],
  chat: [],
  position: position(3, 0),
  choices: [{ action: 1, text: "x" }],
  may_undo: true,
} as unknown as TableView;
const update = (more: Partial<Update>): Update => ({
  type: "update",
  number: 6,
  kind: "act",
  seat: 0,
  body: {},
  phase: "playing",
  seats: table.seats,
  events: [],
  position: null,
  ending: null,
  size: null,
  backdrop: null,
  offer: null,
  secret: null,
  ...more,
});

describe("the table as it is known", () => {
  const model = newModel(table, 1000);

  it("takes only the update that comes next", () => {
    expect(order(model, update({ number: 5 }))).toBe("old");
    expect(order(model, update({ number: 6 }))).toBe("next");
    expect(order(model, update({ number: 8 }))).toBe("gap");
  });

  it("loses its choices with its position, and adds what was told", () => {
    const after = withUpdate(
      model,
      update({ position: position(4, 1), events: [{ text: "b", steps: [], loud: false }] }),
      2000,
    );
    expect(after.table.choices).toEqual([]);
    expect(after.table.may_undo).toBe(false);
    expect(after.table.story).toEqual(["a", "b"]);
    expect(isYourTurn(after)).toBe(false);
  });

  it("keeps its choices when somebody only talks", () => {
    const after = withUpdate(model, update({ kind: "chat", seat: 1, body: { text: "hm" } }), 2000);
    expect(after.table.choices).toHaveLength(1);
    expect(after.table.chat[0]).toMatchObject({ name: "N1", text: "hm" });
  });

  it("ignores choices of another ply", () => {
    const choices = { type: "choices", choices: [], may_undo: false, prompt: "" } as const;
    expect(withChoices(model, { ...choices, ply: 2, choices: [] })).toBe(model);
    expect(withChoices(model, { ...choices, ply: 3, choices: [] }).table.choices).toEqual([]);
  });

  it("lets only the clock run of who is to move", () => {
    expect(timeLeft(model, 0, 11_000)).toBe(50);
    expect(timeLeft(model, 1, 11_000)).toBe(60);
    expect(timeLeft(model, 0, 999_000)).toBe(0);
  });
});

describe("seconds", () => {
  it.each([
    [9.2, "0:10"],
    [65, "1:05"],
    [3600, "1:00:00"],
    [90_000, "1 d"],
  ] as const)("%s is %s", (seconds, text) => expect(shown(seconds)).toBe(text));
});
