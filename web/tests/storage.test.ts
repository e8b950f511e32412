import { beforeEach, expect, test, vi } from "vitest";

type Storage = typeof import("../src/storage");

let stored: Map<string, string>;
let isFull = false;

beforeEach(() => {
  stored = new Map();
  isFull = false;
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (isFull) throw new Error("full");
      stored.set(key, value);
    },
  });
});

async function open(): Promise<Storage> {
  vi.resetModules();
  return import("../src/storage");
}

const seat = (at: number) => ({ token: "t", seat: 0, game: "goose", title: "Goose", at });

test("seats of unfinished matches are kept, whatever their date", async () => {
  const { heldSeats, holdSeat } = await open();
  for (let number = 0; number < 100; number++) holdSeat(`table-${number}`, seat(number % 7));
  expect(Object.keys(heldSeats())).toHaveLength(100);
});

test("of finished ones the last are kept", async () => {
  const { heldSeats, holdSeat, markOver } = await open();
  for (let number = 0; number < 60; number++) {
    holdSeat(`table-${number}`, seat(number));
    markOver(`table-${number}`);
  }
  holdSeat("new", seat(0));
  expect(Object.keys(heldSeats())).toHaveLength(41);
  expect(heldSeats()).toHaveProperty("table-59");
  expect(heldSeats()).not.toHaveProperty("table-0");
});

test("a seat that could not be stored is held until the page is closed", async () => {
  const { heldSeat, holdSeat } = await open();
  holdSeat("first", seat(1));
  isFull = true;
  holdSeat("second", seat(2));
  expect(heldSeat("first")).toBeDefined();
  expect(heldSeat("second")).toBeDefined();
});

test("what is stored may be broken", async () => {
  stored.set("parlour.settings", "{");
  stored.set("parlour.seats", "null");
  const { heldSeats, settings } = await open();
  expect(settings().speed).toBe("normal");
  expect(heldSeats()).toEqual({});
});
