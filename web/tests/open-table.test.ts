import { expect, it, vi } from "vitest";
import { clockText, NO_CLOCK, timeText } from "../src/clocks";
import type { GameView } from "../src/protocol";
import { seatWish } from "../src/seat-field";
import { wishOf } from "../src/table-wish";

const game = { name: "goose", seats: [2, 4], usual_seats: 4, options: [] } as unknown as GameView;

function wish(given: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(given)) form.set(name, value);
  return wishOf(game, form, NO_CLOCK);
}

it("puts bots at the last seats, but not at yours", () => {
  expect(wish({ seats: "4", bots: "2", bot: "easy", seat: "" }).bots).toEqual({ 2: "easy", 3: "easy" });
  expect(wish({ seats: "4", bots: "2", bot: "easy", seat: "3" }).bots).toEqual({ 1: "easy", 2: "easy" });
  expect(wish({ seats: "2", bots: "3", bot: "easy", seat: "1" }).bots).toEqual({ 0: "easy" });
});

it("chooses a seat, or leaves it to the lot", () => {
  expect(seatWish("", false)).toEqual({ lot: true });
  expect(seatWish("0", false)).toEqual({ seat: 0 });
  expect(seatWish("1", true)).toEqual({ seat: 0 });
});

it("tells times and clocks in words", () => {
  vi.stubGlobal("navigator", { languages: ["en"] });
  expect([1, 90, 120, 5400, 7200, 86400, 259200].map(timeText)).toEqual([
    "1 second",
    "1 minute 30 seconds",
    "2 minutes",
    "1 hour 30 minutes",
    "2 hours",
    "1 day",
    "3 days",
  ]);
  expect(clockText({ kind: "bank", seconds: 600, increment: 5 })).toBe("10 minutes, and 5 seconds a turn");
  expect(clockText({ kind: "bank", seconds: 600, increment: 0 })).toBe("10 minutes for the match");
  expect(clockText({ kind: "turn", seconds: 259200, increment: 0 })).toBe("3 days a turn");
});
