/** The lobby: your unfinished matches, the games, and the tables of others. */

import * as api from "../api";
import { fill, h } from "../dom";
import { isHere } from "../house";
import { t } from "../language";
import { filterQuery, filters } from "../lobby/filters";
import { gameCard } from "../lobby/game-card";
import { joinForm } from "../lobby/join-form";
import { nameList, tableLines } from "../lobby/table-lines";
import { TableWatch } from "../lobby/watch-tables";
import type { Page } from "../page";
import type { GameView, TableLine, TableView } from "../protocol";
import { forgetSeat, type HeldSeat, heldSeats, markOver } from "../storage";
import { goneSeat } from "../table/model";

const AT_ONCE = 6; // of your matches are looked up at the same time
const FEW = 10; // tables in the lobby; the page of tables has all

export async function lobby(onlyTables: boolean): Promise<Page> {
  const mine = h("section", { class: "mine", hidden: true, "data-testid": "mine" });
  const list = h("div", { class: "lines", "data-testid": "tables" });
  const lost = h("p", { class: "banner", role: "status", hidden: true, "data-testid": "connection" }, t("offline"));
  const show = async (tables: readonly TableLine[]): Promise<void> => {
    const shown = tableLines(await api.titled(tables), onlyTables ? tables.length : FEW);
    const focused = list.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
    fill(list, ...shown);
    shown.find((line) => focused && line.getAttribute("href") === focused)?.focus();
  };
  const watch = new TableWatch(filterQuery, show, lost);
  if (!isHere) void watch.connect();
  const head = h("h2", {}, t("tablesNow"));
  const tables = h(
    "section",
    { class: "tables" },
    head,
    onlyTables && joinForm(),
    filters(() => void watch.connect()),
    list,
  );
  void showMine(mine);
  const giveUp = (error: unknown): never => {
    watch.stop();
    throw error;
  };
  const games = onlyTables ? [] : await api.games().catch(giveUp);
  const element = onlyTables
    ? h("div", { class: "lobby" }, lost, h("h1", {}, t("tables")), mine, tables)
    : h("div", { class: "lobby" }, lost, hero(), mine, gameList(games), !isHere && tables);
  return { title: "Parlour", element, leave: () => watch.stop() };
}

function hero(): HTMLElement {
  const text = isHere
    ? [h("p", {}, t("heroTextHere")), h("p", { class: "faint" }, t("notHere"))]
    : [h("p", {}, t("heroText"))];
  return h("section", { class: "hero" }, h("h1", {}, t("heroTitle")), ...text, !isHere && joinForm());
}

/** The games, as pictures on the wall. */
function gameList(games: readonly GameView[]): HTMLElement {
  return h(
    "section",
    { "aria-label": t("games") },
    h("ul", { class: "wall", "data-testid": "games" }, ...games.map(gameCard)),
  );
}

// Your unfinished matches.

/** Show every match that is not over, the last one taken first, as soon as each is looked up. */
async function showMine(section: HTMLElement): Promise<void> {
  const held = Object.entries(heldSeats()).filter(([, seat]) => !seat.over);
  held.sort(([, a], [, b]) => b.at - a.at);
  const list = h("ul", { class: "cards" });
  fill(section, h("h2", {}, t("unfinished")), list);
  while (held.length > 0) {
    const looked = await Promise.all(held.splice(0, AT_ONCE).map(([id, seat]) => lookUp(id, seat)));
    list.append(...looked.filter((table) => table !== null).map(matchCard));
    section.hidden = list.childElementCount === 0;
  }
}

/** The table, if you still play there; a seat that is held no more is forgotten. */
async function lookUp(id: string, held: HeldSeat): Promise<TableView | null> {
  try {
    const table = await api.look(id, held.token);
    if (table.phase !== "over" && !goneSeat(table)) return (await api.faces(table.game)).table(table);
    markOver(id);
  } catch (error) {
    if (error instanceof api.Refused && ["unauthorised", "not_found"].includes(error.code)) forgetSeat(id);
  }
  return null;
}

function matchCard(table: TableView): HTMLElement {
  const isYours = table.position?.to_move === table.you && table.phase === "playing";
  const others = table.seats.filter(({ seat, kind }) => seat !== table.you && kind !== "free").map(({ name }) => name);
  return h(
    "li",
    { class: "card mine-card" },
    h(
      "a",
      { href: `/table/${table.id}`, class: isYours ? "is-yours" : "" },
      h("b", {}, table.title),
      h("span", {}, isYours ? t("yourTurn") : table.phase === "open" ? t("waitingForPlayers") : t("theirTurn")),
      h("small", {}, nameList(others)),
    ),
  );
}
