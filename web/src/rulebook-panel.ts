/** The rulebook beside the table: it opens at the clause that matters, and the board stays in sight. */

import * as api from "./api";
import { fill, h } from "./dom";
import { t } from "./language";
import { errorText } from "./pages/error";

export class RulebookPanel {
  readonly element: HTMLElement;
  private readonly text = h("div", { class: "prose rulebook", tabindex: "0" });
  private before: Element | null = null; // what had the focus
  private loaded: Promise<void> | null = null;

  constructor(private readonly game: string) {
    const close = h(
      "button",
      { type: "button", class: "ghost", "aria-label": t("close"), "data-testid": "close-rules" },
      "✕",
    );
    close.addEventListener("click", () => this.close());
    this.element = h(
      "aside",
      { class: "rulebook-panel", hidden: true, "aria-label": t("rules"), "data-testid": "rules-panel" },
      h("header", {}, h("h2", {}, t("rules")), close),
      this.text,
    );
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.close();
    });
  }

  /** A link to the rulebook that opens it here. */
  link(): HTMLElement {
    const open = (event: MouseEvent): void => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      void this.open();
    };
    return h("a", { href: `/rules/${this.game}`, class: "link", "data-testid": "rules", onclick: open }, t("rules"));
  }

  /** Open it, at a clause if there is one. */
  async open(clause = 0): Promise<void> {
    if (this.element.hidden) this.before = document.activeElement;
    this.element.hidden = false;
    document.documentElement.classList.add("has-rulebook");
    this.loaded ??= this.load();
    await this.loaded;
    for (const marked of this.text.querySelectorAll(".is-meant")) marked.classList.remove("is-meant");
    const found = clause > 0 ? this.text.querySelector(`#clause-${clause}`) : null;
    found?.classList.add("is-meant");
    this.text.scrollTop = found
      ? found.getBoundingClientRect().top - this.text.getBoundingClientRect().top + this.text.scrollTop - 12
      : 0;
    this.text.focus({ preventScroll: true });
  }

  close(): void {
    this.element.hidden = true;
    document.documentElement.classList.remove("has-rulebook");
    if (this.before instanceof HTMLElement || this.before instanceof SVGElement) this.before.focus();
  }

  private async load(): Promise<void> {
    try {
      const [{ renderRulebook }, text] = await Promise.all([import("./markdown"), api.rulebook(this.game)]);
      fill(this.text, ...renderRulebook(text, (clause) => `/rules/${this.game}#clause-${clause}`));
    } catch (error) {
      fill(this.text, h("p", {}, errorText(error)));
      this.loaded = null;
    }
  }
}
