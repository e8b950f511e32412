/** The lobby: your unfinished matches, the games, and the tables of others. */

import * as api from "../api";
import { fill, h, once } from "../dom";
import { t } from "../language";
import { tablePath } from "../links";
import { showNotice } from "../notice";
import { navigate, type Page } from "../page";
import type { GameView, LobbyChange, LobbyView, TableLine, TableView } from "../protocol";
import { at } from "../root";
import { forgetSeat, type HeldSeat, heldSeats, markOver } from "../storage";
import { listAfter } from "../table-list";
import { toast } from "../toast";
import { playNow, showOpenTable } from "./open-table";

const AT_ONCE = 6; // of your matches are looked up at the same time
const FEW = 10; // tables in the lobby; the page of tables has all

export async function lobby(onlyTables: boolean): Promise<Page> {
  const mine = h("section", { class: "mine", hidden: true, "data-testid": "mine" });
  const list = h("div", { class: "lines", "data-testid": "tables" });
  const lost = h("p", { class: "banner", role: "status", hidden: true, "data-testid": "connection" }, t("offline"));
  const stop = watchTables(async (tables) => {
    const shown = tableLines(await api.titled(tables), onlyTables ? tables.length : FEW);
    const focused = list.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
    fill(list, ...shown);
    shown.find((line) => focused && line.getAttribute("href") === focused)?.focus();
  }, lost);
  const tables = h("section", { class: "tables" }, h("h2", {}, t("tablesNow")), joinForm(), list);
  void showMine(mine);
  const giveUp = (error: unknown): never => {
    stop();
    throw error;
  };
  const games = onlyTables ? [] : await api.games().catch(giveUp);
  const element = onlyTables
    ? h("div", { class: "lobby" }, lost, h("h1", {}, t("tables")), mine, tables)
    : h("div", { class: "lobby" }, lost, hero(), mine, gameList(games), tables);
  return { title: "Parlour", element, leave: stop };
}

function hero(): HTMLElement {
  return h("section", { class: "hero" }, h("h1", {}, t("heroTitle")), h("p", {}, t("heroText")));
}

/** The games, as pictures on the wall. */
function gameList(games: readonly GameView[]): HTMLElement {
  return h(
    "section",
    { "aria-label": t("games") },
    h("ul", { class: "wall", "data-testid": "games" }, ...games.map(gameCard)),
  );
}

function gameCard(game: GameView): HTMLElement {
  const [low, high] = game.seats;
  const seats = low === high ? t("seatsExactly", { count: low }) : t("seatsRange", { low, high });
  return h(
    "li",
    { class: "framed", "data-testid": `game-${game.name}` },
    h(
      "a",
      { class: "frame", href: `/rules/${game.name}`, tabindex: "-1", "aria-hidden": "true" },
      h("img", { src: api.picture(game.name), alt: "", loading: "lazy", width: 500, height: 585 }),
    ),
    h("h2", { class: "plate" }, game.title),
    h("p", {}, game.summary, " ", h("span", { class: "faint" }, seats)),
    h(
      "div",
      { class: "row" },
      h(
        "button",
        { type: "button", class: "brass", "data-testid": "play-now", onclick: once(() => playNow(game)) },
        t("playNow"),
      ),
      h(
        "button",
        { type: "button", class: "quiet", "data-testid": "open-table", onclick: () => showOpenTable(game) },
        t("openTable"),
      ),
      game.lesson && h("a", { href: `/learn/${game.name}`, class: "button quiet", "data-testid": "learn" }, t("learn")),
      h("a", { href: `/rules/${game.name}`, class: "link" }, t("rules")),
    ),
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

/** The table, if the match there is not over; a seat that is held no more is forgotten. */
async function lookUp(id: string, held: HeldSeat): Promise<TableView | null> {
  try {
    const table = await api.look(id, held.token);
    if (table.phase !== "over") return table;
    markOver(id);
  } catch (error) {
    if (error instanceof api.Refused && ["unauthorised", "not_found"].includes(error.code)) forgetSeat(id);
  }
  return null;
}

function matchCard(table: TableView): HTMLElement {
  const isYours = table.position?.to_move === table.you && table.phase === "playing";
  const others = table.seats.filter((seat) => seat.seat !== table.you).map((seat) => seat.name);
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

function nameList(all: readonly string[]): string {
  const shown = all.slice(0, 3).join(", ");
  return all.length > 3 ? t("andMore", { names: shown, count: all.length - 3 }) : shown;
}

// The tables of others.

function tableLines(tables: readonly TableLine[], most: number): HTMLElement[] {
  const held = heldSeats();
  if (tables.length === 0) return [h("p", { class: "faint" }, t("noTables"))];
  const shown = tables.slice(0, most).map((table) => {
    const word = table.id in held ? t("return") : table.phase === "open" && table.free > 0 ? t("join") : t("watch");
    const state = table.phase === "open" ? t("seatsFree", { count: table.free }) : t("beingPlayed");
    return h(
      "a",
      { class: "line", href: `/table/${table.id}`, "data-testid": `table-${table.id}` },
      h("b", {}, table.title),
      h("span", {}, nameList(table.names)),
      h("small", {}, state),
      h("span", { class: "go" }, word),
    );
  });
  return tables.length > most ? [...shown, h("a", { href: "/tables", class: "link" }, t("allTables"))] : shown;
}

function joinForm(): HTMLElement {
  const input = h("input", {
    placeholder: t("joinPlaceholder"),
    "aria-label": t("joinPlaceholder"),
    "data-testid": "join",
  });
  const submit = (event: Event): void => {
    event.preventDefault();
    const path = tablePath(input.value);
    if (path) void navigate(path);
    else toast(t("noLink"), "error");
  };
  return h(
    "form",
    { class: "row join", onsubmit: submit },
    input,
    h("button", { class: "quiet", type: "submit" }, t("join")),
  );
}

/** Hear of tables as they change, and show what says that the server is lost; returns how to stop. */
function watchTables(onTables: (tables: TableLine[]) => Promise<void>, lost: HTMLElement): () => void {
  let socket: WebSocket;
  let tables: TableLine[] = [];
  let stopped = false;
  let timer = 0;
  const connect = (): void => {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}${at("/api/lobby/live")}`);
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data as string) as LobbyView | LobbyChange | { type: "pong" };
      lost.hidden = true;
      if (message.type === "pong") return;
      if (message.type === "lobby") showNotice("");
      else if (message.notice !== undefined && message.notice !== null) showNotice(message.notice);
      tables = listAfter(tables, message);
      void onTables(tables);
    };
    socket.onclose = () => {
      if (stopped) return;
      lost.hidden = false;
      timer = window.setTimeout(connect, 2000);
    };
  };
  connect();
  return () => {
    stopped = true;
    clearTimeout(timer);
    socket.close();
  };
}
