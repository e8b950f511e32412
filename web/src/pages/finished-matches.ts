/** The matches that are over: all of them, or those of a game or of somebody. */

import * as api from "../api";
import { fill, h, once } from "../dom";
import { tickField } from "../form";
import { language, t } from "../language";
import { verdict } from "../result";
import { saveSettings, settings } from "../storage";
import { toast } from "../toast";
import { errorText } from "./error";

const PAGE = 20; // matches at a time
const PAUSE = 250; // milliseconds after the last key, before it is looked for

export class FinishedMatches {
  readonly element: HTMLElement;
  private readonly name = h("input", {
    type: "search",
    maxlength: 100,
    placeholder: t("searchName"),
    "aria-label": t("searchName"),
    "data-testid": "search-name",
  });
  private readonly game = h(
    "select",
    { "aria-label": t("searchGame"), "data-testid": "search-game" },
    h("option", { value: "" }, t("allGames")),
  );
  private readonly list = h("div", { class: "lines", "data-testid": "finished" });
  private readonly more = h(
    "button",
    { type: "button", class: "quiet", hidden: true, "data-testid": "search-more" },
    t("showMore"),
  );
  private asked = 0; // which search is the latest: older ones come too late
  private timer = 0;

  constructor() {
    this.name.addEventListener("input", () => this.searchSoon());
    this.game.addEventListener("change", () => void this.search());
    this.more.addEventListener(
      "click",
      once(() => this.search(Number(this.more.dataset.before))),
    );
    const form = h(
      "form",
      { class: "row search", role: "search", onsubmit: (event: Event) => event.preventDefault() },
      this.name,
      this.game,
      this.tellEnds(),
    );
    this.element = h("section", {}, h("h2", {}, t("finishedMatches")), form, this.list, this.more);
    void this.nameGames();
    void this.search();
  }

  /** Who has won is told to those who do not want to watch first. */
  private tellEnds(): HTMLElement {
    const box = h("input", { type: "checkbox", checked: settings().tellEnd, "data-testid": "tell-ends" });
    box.addEventListener("change", () => {
      saveSettings({ tellEnd: box.checked });
      this.tellOrHide();
    });
    this.tellOrHide();
    return tickField(t("tellEnds"), box);
  }

  private tellOrHide(): void {
    this.list.classList.toggle("hides-ends", !settings().tellEnd);
  }

  private async nameGames(): Promise<void> {
    const games = await api.games().catch(() => []);
    this.game.append(...games.map((game) => h("option", { value: game.name }, game.title)));
  }

  private searchSoon(): void {
    clearTimeout(this.timer);
    this.more.hidden = true; // what is shown is not what is looked for any more
    this.timer = window.setTimeout(() => void this.search(), PAUSE);
  }

  /** Search, and show what is found; with `before`, what comes after what is shown already. */
  private async search(before?: number): Promise<void> {
    this.asked += 1;
    const mine = this.asked;
    try {
      const found = await api.finished({ name: this.name.value.trim(), game: this.game.value, limit: PAGE, before });
      if (mine === this.asked) this.show(found, before !== undefined);
    } catch (error) {
      toast(errorText(error), "error");
    }
  }

  private show(found: api.ListedTable[], adds: boolean): void {
    const lines = found.map(line);
    const none = h("p", { class: "faint" }, this.name.value || this.game.value ? t("noneFound") : t("noneFinished"));
    fill(this.list, ...(adds ? this.list.childNodes : []), ...(lines.length > 0 || adds ? lines : [none]));
    this.more.hidden = found.length < PAGE;
    this.more.dataset.before = String(found.at(-1)?.changed ?? 0);
  }
}

function line(table: api.ListedTable): HTMLElement {
  const day = new Date(1000 * table.changed).toLocaleDateString(language(), { dateStyle: "medium" });
  return h(
    "a",
    { class: "line", href: `/replay/${table.id}` },
    h("b", {}, table.title),
    h("span", { title: table.exact || null }, table.names.slice(0, 4).join(", ")),
    h("small", {}, h("span", { class: "verdict" }, verdict(table.ending, table.names)), " ", h("time", {}, day)),
    h("span", { class: "go" }, t("seeReplay")),
  );
}
