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
  const held = heldSeats()[table.id];
  const word = held && !held.over ? t("return") : isOpen && table.free > 0 ? t("join") : t("watch");
  const waits = table.free > 0 ? t("seatsFree", { count: table.free }) : t("waitingForReturn");
  const state = [isOpen ? waits : t("beingPlayed")];
  if (table.clock && table.clock.kind !== "none") state.push(clockText(table.clock));
  return h(
    "a",
    { class: "line", href: `/table/${table.id}`, "data-testid": `table-${table.id}` },
    h("b", {}, table.title),
    h(
      "span",
      { title: table.exact || null },
      isOpen ? nameList(table.who ?? [], table.seats - table.free) : nameList(table.names, table.seats),
    ),
    h("small", {}, state.join(" · ")),
    h("span", { class: "go" }, word),
  );
}

/** Some of the names; there may be more of them than are told. */
export function nameList(told: readonly string[], count = told.length): string {
  const shown = told.slice(0, 3).join(", ");
  return count > 3 ? t("andMore", { names: shown, count: count - 3 }) : shown;
}
