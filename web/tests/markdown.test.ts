import { describe, expect, it } from "vitest";
import { blocks, runs } from "../src/markdown";

describe("blocks", () => {
  it("are headings, paragraphs, lists, tables and code", () => {
    const text = "# Title\n\nOne\ntwo.\n\n- a\n- b\n  more\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n    code\n";
    expect(blocks(text)).toEqual([
      { kind: "heading", level: 1, text: "Title" },
      { kind: "paragraph", text: "One two." },
      { kind: "list", items: ["a", "b more"], start: null },
      { kind: "table", head: ["x", "y"], rows: [["1", "2"]] },
      { kind: "code", text: "code" },
    ]);
  });

  it("keep the numbers of clauses", () => {
    expect(blocks("7. Seven\n   goes on.\n8. Eight")).toEqual([
      { kind: "list", items: ["Seven goes on.", "Eight"], start: 7 },
    ]);
  });

  it("end, whatever they are given", () => {
    for (const text of ["", "|", "|\n|-", "```", "```\nx", "#", "1.", "   x", "- ", "**", "\n\n\n"]) {
      expect(() => blocks(text)).not.toThrow();
    }
  });
});

describe("runs", () => {
  it("are plain, bold, italic and code", () => {
    expect(runs("a **b** *c* `d`")).toEqual([
      { kind: "plain", text: "a " },
      { kind: "bold", text: "b" },
      { kind: "plain", text: " " },
      { kind: "italic", text: "c" },
      { kind: "plain", text: " " },
      { kind: "code", text: "d" },
    ]);
  });

  it("keep markup as text, and of a link only its words", () => {
    const evil = '<img src=x onerror="alert(1)"> <script>';
    expect(runs(evil)).toEqual([{ kind: "plain", text: evil }]);
    expect(
      runs("[click](javascript:alert(1)) now")
        .map((run) => run.text)
        .join(""),
    ).not.toContain("javascript");
  });

  it("leave lone signs as they are", () => {
    expect(
      runs("2 * 3 * 4")
        .map((run) => run.text)
        .join(""),
    ).toBe("2 * 3 * 4");
  });
});
