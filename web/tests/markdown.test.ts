import { describe, expect, it } from "vitest";
import { toHtml } from "../src/markdown";

describe("a rulebook", () => {
  it("has headings, lists, tables and code", () => {
    const html = toHtml("# Title\n\nOne **two** *three*.\n\n- a\n\n| x |\n|---|\n| 1 |\n\n    code\n");
    for (const part of [
      "<h1>Title</h1>",
      "<strong>two</strong>",
      "<em>three</em>",
      "<li>a</li>",
      "<td>1</td>",
      "<pre>",
    ]) {
      expect(html).toContain(part);
    }
  });

  it("keeps the numbers of its clauses, whatever is listed within them", () => {
    const html = toHtml("7. Seven\n   - a\n   - b\n8. Eight\n\n## More\n\n9. Nine\n");
    expect(html).toContain('start="7"');
    expect([...html.matchAll(/id="(.*?)"/g)].map(([, id]) => id)).toEqual(["clause-7", "clause-8", "clause-9"]);
  });

  it.each([
    '<img src=x onerror="alert(1)">',
    "<script>alert(1)</script>",
    "<svg onload=alert(1)>",
    "a <b onclick='x'>b</b>",
    "<!-- x -->",
    "[click](javascript:alert(1))",
    "[click](https://example.org)",
    "<https://example.org>",
    "![<b>](https://example.org/x.png)",
    '[x]: javascript:alert(1) "y"\n\n[x]',
    "| <b> |\n|---|\n| <i> |",
    "```<b>\n<script>\n```",
    "&lt;script&gt;",
    '```" onmouseover="alert(1)\nx\n```',
  ])("is never markup: %s", (evil) => {
    const tags = toHtml(evil).match(/<[^>]*>/g) ?? [];
    for (const tag of tags)
      expect(tag).toMatch(
        /^<\/?(p|pre|table|thead|tbody|tr|th|td|div)( class="scroll" tabindex="0")?>$|^<\/?code( class="language-[^"<>]*")?>$/,
      );
  });

  it("ends, whatever it is", () => {
    for (const text of ["", "|", "|\n|-", "```", "#", "1.", "- ", "**", "[".repeat(3000), ">".repeat(3000)]) {
      expect(() => toHtml(text)).not.toThrow();
    }
  });
});
