import { describe, expect, it, vi } from "vitest";
import { nameTrouble, seenLength } from "../src/names";

vi.stubGlobal("navigator", { languages: ["en"] });

describe("names are counted as people see them", () => {
  it.each([
    ["Ada", 3],
    ["🦢".repeat(24), 24],
    ["é", 1],
    ["e\u0301", 1],
    ["👍🏽", 1],
    ["🇩🇪", 1],
    ["  Ada ", 3],
    ["A \u3164 B", 3],
    ["👨‍👩‍👧‍👦👩🏻‍❤️‍💋‍👨🏽", 2],
  ])("%s", (name, seen) => expect(seenLength(name)).toBe(seen));
});

describe("what the server would refuse is said at the field", () => {
  it.each(["", "Ada", "🦢".repeat(24), "Ada :)", "👨‍👩‍👧‍👦".repeat(24)])("takes %s", (name) =>
    expect(nameTrouble(name)).toBe(""),
  );
  it.each(["🦢".repeat(25), "Ada (bot)", "x".repeat(25), "\u3164", "\u200b"])("refuses %s", (name) =>
    expect(nameTrouble(name)).not.toBe(""),
  );
});
