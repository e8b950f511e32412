/** What has happened, in words, and what is said at the table. */

import { fill, h } from "../dom";
import { t } from "../language";
import type { TableView } from "../protocol";

type Tab = "story" | "chat";

export class Talk {
  readonly element: HTMLElement;
  private readonly story = h("ol", { class: "story", tabindex: 0, "data-testid": "story" });
  // Only what is new is read aloud, and not the whole story each time.
  private readonly aloud = h("div", { class: "unseen", role: "log", "aria-live": "polite", "data-testid": "live-log" });
  private readonly chat = h("ol", { class: "chat-lines", "data-testid": "chat-lines", role: "log", tabindex: 0 });
  private readonly input = h("input", { maxlength: "500", autocomplete: "off", "data-testid": "chat-input" });
  private readonly form: HTMLFormElement;
  private readonly tabs: Record<Tab, HTMLButtonElement>;
  private readonly panels: Record<Tab, HTMLElement>;
  private unread = 0;
  private lines = -1;

  constructor(say: (text: string) => void) {
    this.input.placeholder = t("chatPlaceholder");
    this.input.setAttribute("aria-label", t("chatPlaceholder"));
    const send = h("button", { type: "submit", class: "quiet" }, t("send"));
    this.form = h(
      "form",
      { class: "chat-form", onsubmit: (event: Event) => this.submit(event, say) },
      this.input,
      send,
    );
    this.tabs = { story: this.tab("story", t("story")), chat: this.tab("chat", t("chat")) };
    this.panels = { story: this.panel("story", this.story), chat: this.panel("chat", this.chat, this.form) };
    const bar = h("div", { class: "tabs", role: "tablist", onkeydown: this.arrows }, this.tabs.story, this.tabs.chat);
    this.element = h("section", { class: "card talk" }, bar, this.panels.story, this.panels.chat, this.aloud);
    this.open("story");
  }

  private tab(name: Tab, words: string): HTMLButtonElement {
    const controls = { role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, "data-testid": `tab-${name}` };
    return h("button", { type: "button", ...controls, onclick: () => this.open(name) }, words);
  }

  private panel(name: Tab, ...children: Node[]): HTMLElement {
    const role = { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}` };
    return h("div", { class: `panel panel-${name}`, ...role }, ...children);
  }

  private readonly arrows = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const other = this.tabs.story.getAttribute("aria-selected") === "true" ? "chat" : "story";
    this.open(other);
    this.tabs[other].focus();
    event.stopPropagation();
  };

  private open(name: Tab): void {
    for (const tab of ["story", "chat"] as const) {
      this.tabs[tab].setAttribute("aria-selected", String(tab === name));
      this.tabs[tab].tabIndex = tab === name ? 0 : -1;
      this.panels[tab].hidden = tab !== name;
    }
    if (name === "chat") this.unread = 0;
    this.count();
    toEnd(this.panels[name].firstElementChild);
  }

  private submit(event: Event, say: (text: string) => void): void {
    event.preventDefault();
    const text = this.input.value.trim();
    if (text) say(text);
    this.input.value = "";
  }

  private count(): void {
    this.tabs.chat.textContent = this.unread ? `${t("chat")} (${this.unread})` : t("chat");
  }

  render(table: TableView): void {
    fill(this.story, ...table.story.map((line) => h("li", {}, line)));
    fill(this.chat, ...table.chat.map((line) => h("li", {}, h("b", {}, String(line.name)), " ", String(line.text))));
    if (table.chat.length === 0) fill(this.chat, h("li", { class: "faint" }, t("chatEmpty")));
    this.form.hidden = table.you === null;
    if (this.lines >= 0 && this.panels.chat.hidden) this.unread += Math.max(0, table.chat.length - this.lines);
    this.lines = table.chat.length;
    this.count();
    toEnd(this.story);
    toEnd(this.chat);
  }

  /** To the field for what you want to say. */
  focus(): void {
    this.open("chat");
    this.input.focus();
  }

  /** Say it to whoever listens to the page. */
  tell(lines: readonly string[]): void {
    this.aloud.append(...lines.map((line) => h("p", {}, line)));
    while (this.aloud.childElementCount > 20) this.aloud.firstElementChild?.remove();
  }
}

function toEnd(element: Element | null): void {
  if (element) element.scrollTop = element.scrollHeight;
}
