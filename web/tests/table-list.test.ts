import { expect, test } from "vitest";
import type { TableLine } from "../src/protocol";
import { listAfter } from "../src/table-list";

const line = (id: string, phase: "open" | "playing", created: number) => ({ id, phase, created }) as TableLine;
const ids = (tables: TableLine[]) => tables.map(({ id }) => id).join(" ");

test("tables that wait come first, then the newest", () => {
  const first = listAfter([], {
    type: "lobby",
    tables: [line("a", "playing", 9), line("b", "open", 1), line("c", "open", 5)],
  });
  expect(ids(first)).toBe("c b a");
  const second = listAfter(first, {
    type: "lobby_change",
    tables: [line("c", "playing", 5), line("d", "open", 3)],
    gone: ["a"],
  });
  expect(ids(second)).toBe("d b c");
  expect(ids(listAfter(second, { type: "lobby", tables: [] }))).toBe("");
});
