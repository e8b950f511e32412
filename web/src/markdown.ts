/** Rulebooks are Markdown, and may come from anybody's package: of a text nothing becomes markup but what is made here. */

import MarkdownIt from "markdown-it";
import { h } from "./dom";
import { t } from "./language";

const reader = new MarkdownIt({ html: false, linkify: false });
const { rules } = reader.renderer;

// A link or a picture leads out of the house: its words are enough.
rules.link_open = rules.link_close = () => "";
rules.image = (tokens, at) => reader.utils.escapeHtml(tokens[at]?.content ?? "");

// Wide tables are scrolled by themselves, by keyboard too.
rules.table_open = () => '<div class="scroll" tabindex="0"><table>';
rules.table_close = () => "</table></div>";

// A clause is found by its number: /rules/goose#clause-7.
reader.core.ruler.push("clauses", ({ tokens }) => {
  const numbers: (number | null)[] = []; // of the lists that are open, the next item of each
  for (const token of tokens) {
    if (token.type === "ordered_list_open") numbers.push(Number(token.attrGet("start") ?? 1));
    else if (token.type === "bullet_list_open") numbers.push(null);
    else if (/_list_close$/.test(token.type)) numbers.pop();
    const number = numbers[0];
    if (token.type !== "list_item_open" || numbers.length > 1 || number === null || number === undefined) continue;
    token.attrSet("id", `clause-${number}`);
    numbers[0] = number + 1;
  }
});

/** A text as HTML in which nothing can act. */
export function toHtml(markdown: string): string {
  return reader.render(markdown);
}

/** The elements of a rulebook, every clause with a link to itself; `address` says where it leads. */
export function renderRulebook(markdown: string, address: (clause: string) => string): Node[] {
  const nodes = render(markdown);
  for (const node of nodes) {
    if (!(node instanceof Element)) continue;
    for (const clause of node.querySelectorAll("li[id^=clause-]")) {
      const number = clause.id.slice("clause-".length);
      const link = h(
        "a",
        { class: "clause-link", href: address(number), "aria-label": t("linkToClause", { number }) },
        "#",
      );
      if (!link.getAttribute("href")?.startsWith("#")) link.target = "_blank";
      (clause.firstElementChild?.tagName === "P" ? clause.firstElementChild : clause).append(" ", link);
    }
  }
  return nodes;
}

/** The elements of a text. */
export function render(markdown: string): Node[] {
  const holder = document.createElement("template");
  holder.innerHTML = toHtml(markdown);
  return [...holder.content.childNodes];
}
