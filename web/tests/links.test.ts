import { describe, expect, it } from "vitest";
import { tablePath } from "../src/links";
import { svgDocument } from "../src/replay/svg";

describe("what people paste to join", () => {
  it.each([
    ["abcd1234", "/table/abcd1234"],
    ["  https://games.example/table/-o2eY1Ic2r#invite=a-b_c ", "/table/-o2eY1Ic2r#invite=a-b_c"],
    ["/table/abcd", "/table/abcd"],
  ])("%s leads to %s", (text, path) => expect(tablePath(text)).toBe(path));

  it.each(["", "x", "https://elsewhere.example/", "javascript:alert(1)", "a b c d"])("%s leads nowhere", (text) =>
    expect(tablePath(text)).toBeNull(),
  );
});

describe("a position as a document", () => {
  it("has its size, and its title as text", () => {
    const made = svgDocument({ size: [10, 20], backdrop: "<g/>", title: "<b>&" }, "<circle/>");
    expect(made).toContain('viewBox="0 0 10 20"');
    expect(made).toContain("<title>&#60;b&#62;&#38;</title>");
    expect(made).toContain("<g/><circle/></svg>");
  });
});
