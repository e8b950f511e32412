import { describe, expect, it } from "vitest";
import { readCode, shownCode, tablePath } from "../src/links";
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

describe("codes", () => {
  it.each([
    ["k7m-4xq", "K7M4XQ"],
    [" K7M 4XQ ", "K7M4XQ"],
    ["258CDF", "ZSBCDF"],
  ])("%s is read as %s", (text, code) => expect(readCode(text)).toBe(code));

  it.each(["", "K7M4X", "K7M4XA", "K7M4X1", "abcd1234", "https://x/table/K7M4XQ"])("%s is none", (text) =>
    expect(readCode(text)).toBeNull(),
  );

  it("are shown in two parts", () => expect(shownCode("K7M4XQ")).toBe("K7M-4XQ"));
});

describe("a position as a document", () => {
  it("has its size, and its title as text", () => {
    const made = svgDocument({ size: [10, 20], backdrop: "<g/>", title: "<b>&" }, "<circle/>", "<style/>");
    expect(made).toContain('viewBox="0 0 10 20"');
    expect(made).toContain("<title>&#60;b&#62;&#38;</title>");
    expect(made).toContain("<style/><g/><circle/></svg>");
  });
});
