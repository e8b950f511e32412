/** What is wanted of a new table. */

import type { ClockSpec, GameView, OpenTable } from "./protocol";
import { MANY, seatWish } from "./seat-field";

/** What the game suggests for tables that people open here, where its rules have something else. */
export function suggested(game: GameView): Record<string, number> {
  const other = game.options.filter((option) => option.suggested !== option.default);
  return Object.fromEntries(other.map((option) => [option.name, option.suggested]));
}

/** The form as the server wants it. Bots sit at the last seats, but not at yours. */
export function wishOf(game: GameView, given: FormData, clock: ClockSpec): OpenTable {
  const seats = Number(given.get("seats") ?? game.usual_seats);
  const yours = seatWish(given.get("seat"), game.seats[1] > MANY).seat ?? 0;
  const others = [...Array(seats).keys()].filter((seat) => seat !== yours);
  const bots: Record<string, string> = {};
  const count = Math.min(others.length, Number(given.get("bots")));
  for (const seat of others.slice(others.length - count)) bots[String(seat)] = String(given.get("bot"));
  const options: Record<string, number | boolean> = {};
  for (const option of game.options) {
    const value = given.get(`option-${option.name}`);
    options[option.name] = option.switch ? value !== null : Number(value);
  }
  return {
    game: game.name,
    seats,
    options,
    bots,
    clock,
    public: given.get("public") !== null,
    hints: given.get("hints") !== null,
  };
}
