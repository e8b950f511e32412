/** Rulebooks are Markdown. This reads as much of it as they use, into elements: nothing in a text is ever markup. */

import { h } from "./dom";

/** A block: the kind of it, and its lines. Items keep the number they were written with. */
export type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "list"; items: string[]; start: number | null }
  | { kind: "table"; head: string[]; rows: string[][] }
  | { kind: "code"; text: string };

const HEADING = /^(#{1,4})\s+(.*)$/;
const ITEM = /^(?:[-*]|(\d+)\.)\s+(.*)$/;
const RULE = /^\|?[\s:|-]+\|[\s:|-]*$/;

/** The blocks of a text. */
export function blocks(markdown: string): Block[] {
  const lines = markdown.split(/\r?\n/);
  const found: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    if (line.trim() === "") at += 1;
    else if (HEADING.test(line)) {
      const [, signs = "#", text = ""] = HEADING.exec(line) ?? [];
      found.push({ kind: "heading", level: signs.length, text });
      at += 1;
    } else if (line.includes("|") && RULE.test(lines[at + 1] ?? "")) at = table(lines, at, found);
    else if (/^( {4}|```)/.test(line)) at = code(lines, at, found);
    else if (ITEM.test(line)) at = list(lines, at, found);
    else at = paragraph(lines, at, found);
  }
  return found;
}

function cells(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());
}

function table(lines: string[], at: number, found: Block[]): number {
  const rows: string[][] = [];
  let next = at + 2;
  while ((lines[next] ?? "").includes("|")) rows.push(cells(lines[next++] ?? ""));
  found.push({ kind: "table", head: cells(lines[at] ?? ""), rows });
  return next;
}

function code(lines: string[], at: number, found: Block[]): number {
  const fenced = lines[at]?.startsWith("```") ?? false;
  const text: string[] = [];
  let next = fenced ? at + 1 : at;
  const inside = (line: string | undefined): boolean =>
    line !== undefined && (fenced ? !line.startsWith("```") : line.startsWith("    ") || line.trim() === "");
  while (inside(lines[next])) text.push((lines[next++] ?? "").slice(fenced ? 0 : 4));
  found.push({ kind: "code", text: text.join("\n").trimEnd() });
  return fenced ? next + 1 : next;
}

function list(lines: string[], at: number, found: Block[]): number {
  const numbered = /^\d/.test(lines[at] ?? "");
  const start = numbered ? Number.parseInt(lines[at] ?? "1", 10) : null;
  const items: string[] = [];
  let next = at;
  for (; next < lines.length; next += 1) {
    const line = lines[next] ?? "";
    const item = ITEM.exec(line);
    if (item && /^\d/.test(line) === numbered) items.push(item[2] ?? "");
    else if (/^\s+\S/.test(line)) items.push(`${items.pop() ?? ""} ${line.trim()}`);
    else break;
  }
  found.push({ kind: "list", items, start });
  return next;
}

function paragraph(lines: string[], at: number, found: Block[]): number {
  const text: string[] = [];
  let next = at;
  while (next < lines.length && (lines[next] ?? "").trim() !== "" && (next === at || !starts(lines[next] ?? ""))) {
    text.push((lines[next++] ?? "").trim());
  }
  found.push({ kind: "paragraph", text: text.join(" ") });
  return next;
}

const starts = (line: string): boolean => HEADING.test(line) || ITEM.test(line) || line.startsWith("```");

/** A run of text in a block: plain, or marked in one way. */
export type Run = { kind: "plain" | "bold" | "italic" | "code"; text: string };

export function runs(text: string): Run[] {
  const found: Run[] = [];
  let rest = 0;
  for (const match of text.matchAll(/`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\([^)]*\)/g)) {
    if (match.index > rest) found.push({ kind: "plain", text: text.slice(rest, match.index) });
    const [whole, code, bold, italic, link] = match;
    if (code !== undefined) found.push({ kind: "code", text: code });
    else if (bold !== undefined) found.push({ kind: "bold", text: bold });
    else if (italic !== undefined) found.push({ kind: "italic", text: italic });
    else found.push({ kind: "plain", text: link ?? "" }); // a link leads out of the house: its words are enough
    rest = match.index + whole.length;
  }
  if (rest < text.length) found.push({ kind: "plain", text: text.slice(rest) });
  return found;
}

const TAGS = { bold: "strong", italic: "em", code: "code" } as const;

function words(text: string): (Node | string)[] {
  return runs(text).map((run) => (run.kind === "plain" ? run.text : h(TAGS[run.kind], {}, run.text)));
}

/** The text as elements. */
export function render(markdown: string): HTMLElement[] {
  return blocks(markdown).map((block) => {
    switch (block.kind) {
      case "heading":
        return h(`h${Math.min(block.level, 4)}` as "h1", {}, ...words(block.text));
      case "paragraph":
        return h("p", {}, ...words(block.text));
      case "code":
        return h("pre", {}, h("code", {}, block.text));
      case "list":
        return listed(block.items, block.start);
      case "table":
        return tabled(block.head, block.rows);
    }
  });
}

function listed(items: string[], start: number | null): HTMLElement {
  const made = items.map((item, place) =>
    h("li", start === null ? {} : { id: `clause-${start + place}` }, ...words(item)),
  );
  return start === null ? h("ul", {}, ...made) : h("ol", { start }, ...made);
}

function tabled(head: string[], rows: string[][]): HTMLElement {
  const row = (tag: "th" | "td", cells: string[]): HTMLElement =>
    h("tr", {}, ...cells.map((cell) => h(tag, {}, ...words(cell))));
  const made = h(
    "table",
    {},
    h("thead", {}, row("th", head)),
    h("tbody", {}, ...rows.map((cells) => row("td", cells))),
  );
  return h("div", { class: "scroll", tabindex: "0" }, made);
}
