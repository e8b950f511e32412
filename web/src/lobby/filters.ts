/** Which tables of others are shown: of a game, with or without bots, with what clock. Remembered for the next visit. */

import * as api from "../api";
import { h } from "../dom";
import { selectList } from "../form";
import { t } from "../language";
import { saveSettings, settings, type TableFilter } from "../storage";

type Part = keyof TableFilter;

/** The lists to choose from; `onChange` is told when something else is wanted. */
export function filters(onChange: () => void): HTMLElement {
  const list = (part: Part, entries: [string, string][]): HTMLSelectElement => {
    const attributes = { "aria-label": t(`filter_${part}`), "data-testid": `filter-${part}` };
    const select = selectList(entries, settings().filter[part] ?? "", attributes);
    select.addEventListener("change", () => {
      saveSettings({ filter: { ...settings().filter, [part]: select.value } });
      onChange();
    });
    return select;
  };
  const game = list("game", [["", t("allGames")]]);
  void nameGames(game);
  const company = list("company", [
    ["", t("anyCompany")],
    ["people", t("onlyPeople")],
    ["bots", t("withBots")],
  ]);
  const clock = list("clock", [
    ["", t("anyClock")],
    ["none", t("noClock")],
    ["quick", t("quickClock")],
    ["slow", t("slowClock")],
  ]);
  return h("div", { class: "row filters", role: "group", "aria-label": t("showTables") }, game, company, clock);
}

async function nameGames(list: HTMLSelectElement): Promise<void> {
  const games = await api.games().catch(() => []);
  const wanted = settings().filter.game ?? "";
  list.append(...games.map(({ name, title }) => h("option", { value: name, selected: name === wanted }, title)));
}

/** What was chosen, as a query; games that are no longer here are not asked for. */
export async function filterQuery(): Promise<string> {
  const chosen = Object.entries(settings().filter).filter(([, value]) => value);
  const games = settings().filter.game ? await api.games().catch(() => []) : [];
  const known = chosen.filter(([part, value]) => part !== "game" || games.some(({ name }) => name === value));
  return new URLSearchParams(known).toString();
}
