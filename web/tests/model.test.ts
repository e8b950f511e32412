import { describe, expect, it } from "vitest";
import type { Position, SeatView, TableView, Update } from "../src/protocol";
import { unclaimed } from "../src/seat-field";
import {
  freshLines,
  isYourTurn,
  type Model,
  newModel,
  order,
  timeLeft,
  withChoices,
  withPresence,
  withUpdate,
} from "../src/table/model";
import { shown } from "../src/table/seats";

const position = (ply: number, to_move: number): Position => ({
  ply,
  turn: 0,
  to_move,
  scores: [0, 0],
  picks: [],
  scene: null,
  state: null,
  patch: null,
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
  lot: false,
  wants: null,
  out: false,
  gone: false,
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
      update({ position: position(4, 1), events: [{ text: "b", steps: [], loud: false, quiet: false }] }),
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

describe("the clock that is shown", () => {
  const INCREMENT = 5;
  const WITHIN = 0.2; // seconds

  /** A server: what each seat has left, by its own reckoning, and what it tells with each message. */
  class Server {
    private readonly left = [60, 60];
    private began = 0;
    private toMove = 0;
    private number = 5;
    private ply = 3;

    truth(seat: number, now: number): number {
      const left = this.left[seat] ?? 0;
      return seat === this.toMove ? Math.max(0, left - (now - this.began) / 1000) : left;
    }

    private seats(now: number): SeatView[] {
      return [0, 1].map((number) => ({ ...seat(number), left: this.truth(number, now) }));
    }

    view(now: number): TableView {
      return { ...table, seats: this.seats(now) };
    }

    tell(more: Partial<Update>, now: number): Update {
      this.number += 1;
      return update({ number: this.number, seats: this.seats(now), ...more });
    }

    move(now: number): Update {
      this.left[this.toMove] = this.truth(this.toMove, now) + INCREMENT;
      this.began = now;
      this.toMove = 1 - this.toMove;
      this.ply += 1;
      return this.tell({ position: position(this.ply, this.toMove) }, now);
    }
  }

  const happens: Record<number, (server: Server, model: Model, now: number) => Model> = {
    1300: (server, model, now) =>
      withUpdate(model, server.tell({ kind: "chat", seat: 1, body: { text: "hm" } }, now), now),
    2700: (server, model, now) => withUpdate(model, server.tell({ kind: "offer", offer: 0 }, now), now),
    2900: (_, model) =>
      withPresence(model, { type: "presence", here: [0], watching: 3, grace: {}, notice: "", warming: [] }),
    5100: (server, model, now) => withUpdate(model, server.tell({ kind: "decline" }, now), now),
    9900: (server, model, now) => withUpdate(model, server.move(now), now),
    10400: (server, model, now) =>
      withUpdate(model, server.tell({ kind: "chat", seat: 0, body: { text: "go" } }, now), now),
    17800: (server, model, now) => withUpdate(model, server.move(now), now),
    17900: (_, model) => withChoices(model, { type: "choices", ply: 5, choices: [], may_undo: false, prompt: "" }),
    30000: (server, _, now) => newModel(server.view(now), now),
  };

  it("is the server's, whatever arrives", () => {
    const server = new Server();
    let model = newModel(server.view(0), 0);
    for (let now = 0; now <= 31_000; now += 100) {
      model = happens[now]?.(server, model, now) ?? model;
      for (const number of [0, 1]) {
        const told = timeLeft(model, number, now) ?? Number.NaN;
        expect(Math.abs(told - server.truth(number, now)), `seat ${number} at ${now} ms`).toBeLessThan(WITHIN);
      }
    }
    expect(Object.keys(happens).every((at) => Number(at) % 100 === 0)).toBe(true);
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

describe("the lines that a story has got", () => {
  it("come after those that were there, though the oldest have gone", () => {
    expect(freshLines([], ["a", "b"])).toEqual(["a", "b"]);
    expect(freshLines(["a", "b"], ["a", "b"])).toEqual([]);
    expect(freshLines(["a", "b", "c"], ["c", "d", "e"])).toEqual(["d", "e"]);
    expect(freshLines(["a", "b"], ["x", "y"])).toEqual(["x", "y"]);
  });

  it("are none after an undo", () => {
    expect(freshLines(["a", "b", "c"], ["a", "b"])).toEqual([]);
  });
});

describe("lots", () => {
  it("give you and what you have said another seat", () => {
    const said = { ...table, chat: [{ seat: 0, name: "N0", text: "hi", at: 0 }] };
    const after = withUpdate(newModel(said, 0), update({ kind: "start", body: { seating: [1, 0] } }), 0).table;
    expect([after.you, after.chat[0]?.seat]).toEqual([1, 1]);
    const watched = withUpdate(newModel({ ...said, you: null }, 0), update({ body: { seating: [1, 0] } }), 0).table;
    expect(watched.you).toBeNull();
  });

  it("leave seats to choose that nobody has chosen", () => {
    const seats = [
      { ...seat(0), lot: true },
      { ...seat(1), wants: 2 },
      { ...seat(2), kind: "free" as const },
      { ...seat(3), kind: "bot" as const },
    ];
    expect(unclaimed({ ...table, seats })).toEqual([0, 1]);
  });
});
