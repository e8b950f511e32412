/** The tables of others, a line each. */

import type { ListedTable } from "../api";
import { clockText } from "../clocks";
import { h } from "../dom";
import { t } from "../language";
import { heldSeats, settings } from "../storage";

/** The first of these tables, and the way to all others. */
export function tableLines(tables: readonly ListedTable[], most: number): HTMLElement[] {
  const isFiltered = Object.values(settings().filter).some(Boolean);
  if (tables.length === 0) return [h("p", { class: "faint" }, t(isFiltered ? "noSuchTables" : "noTables"))];
  const shown = tables.slice(0, most).map(tableLine);
  return tables.length > most ? [...shown, h("a", { href: "/tables", class: "link" }, t("allTables"))] : shown;
}

export function tableLine(table: ListedTable): HTMLElement {
  const isOpen = table.phase === "open";
  const word = table.id in heldSeats() ? t("return") : isOpen && table.free > 0 ? t("join") : t("watch");
  const waits = table.free > 0 ? t("seatsFree", { count: table.free }) : t("waitingForReturn");
  const state = [isOpen ? waits : t("beingPlayed")];
  if (table.clock && table.clock.kind !== "none") state.push(clockText(table.clock));
  return h(
    "a",
    { class: "line", href: `/table/${table.id}`, "data-testid": `table-${table.id}` },
    h("b", {}, table.title),
    h("span", { title: table.exact || null }, nameList((isOpen ? table.who : table.names) ?? [])),
    h("small", {}, state.join(" · ")),
    h("span", { class: "go" }, word),
  );
}

export function nameList(all: readonly string[]): string {
  const shown = all.slice(0, 3).join(", ");
  return all.length > 3 ? t("andMore", { names: shown, count: all.length - 3 }) : shown;
}
