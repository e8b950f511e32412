import { expect, it, vi } from "vitest";
import type { Ending } from "../src/protocol";
import { order, verdict } from "../src/result";

vi.stubGlobal("navigator", { languages: ["en"] });

const ending = (winners: number[], text = "", zombies = 0): Ending => ({
  reason: "rules",
  winners,
  text,
  told: text ? { en: { text, rivals: [{ words: `${zombies} zombies`, count: zombies, score: 4 }] } } : {},
});
const places = (end: Ending, scores: number[]): string[] =>
  order({ ending: end, names: ["Ada", "Bob", "Cid"], scores, scored: true }).map(
    ({ place, name, score }) => `${place} ${name} ${score}`,
  );

it("tells a tie of zombies, alone and with a seat, as the game does", () => {
  expect(verdict(ending([], "2 zombies win with 4 squares each", 2), ["Ada"])).toBe(
    "2 zombies win with 4 squares each.",
  );
  expect(verdict(ending([0], "Ada and 2 zombies win", 2), ["Ada"])).toBe("Ada and 2 zombies win.");
  expect(verdict(ending([0, 1]), ["Ada", "Bob"])).toBe("Ada and Bob win.");
});

it("knows of an end that was stored without words for it what was stored", () => {
  expect(verdict({ ...ending([]), text: "a zombie wins" }, ["Ada"])).toBe("A zombie wins.");
  expect(verdict(ending([]), ["Ada"])).toBe("No player wins.");
});

it("lets equal scores share a place, and has those without a seat in the order", () => {
  expect(places(ending([], "2 zombies win", 2), [1, 3, 1])).toEqual(["1 2 zombies 4", "3 Bob 3", "4 Ada 1", "4 Cid 1"]);
  expect(places(ending([1, 2]), [7, 5, 5])).toEqual(["1 Bob 5", "1 Cid 5", "3 Ada 7"]);
});

it("tells an end by whoever runs the server in their words, or in its own where a file has none", () => {
  const closed = { ...ending([]), reason: "operator" };
  expect(verdict({ ...closed, text: "Closed for tonight." }, ["Ada"])).toBe("Closed for tonight.");
  expect(verdict(closed, ["Ada"])).toBe("Ended by whoever runs the server.");
});
