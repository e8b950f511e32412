/** The table before the match: who sits where, free seats, and how to fill them. */

import * as api from "../api";
import { clockText } from "../clocks";
import type { Command } from "../connection";
import { fill, h, once } from "../dom";
import { drawing } from "../drawing";
import { selectList } from "../form";
import { isHere } from "../house";
import { joinNames, t } from "../language";
import { checkName } from "../names";
import { navigate } from "../page";
import { sayTrouble } from "../pages/error";
import type { GameView, TableView } from "../protocol";
import { seatList, seatWish, unclaimed } from "../seat-field";
import { saveSettings, settings } from "../storage";
import { takeSeat } from "../take-seat";
import { codeLine, playLink, shareRow } from "./share";

/** Whoever sits down agrees to it. */
const hintsText = ({ hints }: TableView): string => t(hints ? "hintsAllowed" : "noHints");

/** Whose seats are kept for a rematch, which waits for them. */
function awaited({ seats }: TableView): string {
  const names = seats.filter(({ kind }) => kind === "kept").map(({ name }) => name);
  return names.length > 0 ? t(names.length > 1 ? "waitForAll" : "waitsFor", { names: joinNames(names) }) : "";
}

/** Who may still come, and what it takes for the match to begin. */
function expected(table: TableView, free: number): string {
  if (free === 0) return awaited(table);
  const more = t(free > 1 ? "beginsWithMore" : "beginsWithOne", { count: free });
  return `${t(table.public ? "anybodyMayCome" : "guestsMayCome")} ${more}`;
}

/** Who is there already, but for you. */
function company({ seats, you }: TableView): string {
  const names = seats.filter(({ kind, seat }) => seat !== you && (kind === "person" || kind === "bot"));
  return names.length > 0 ? t("hereAlready", { names: joinNames(names.map(({ name }) => name)) }) : "";
}

export class WaitingRoom {
  readonly element = h("section", { class: "card waiting", "data-testid": "waiting" });
  private game: GameView | undefined;
  private shown = "";
  private preview: HTMLElement | null = null; // of the board
  private readonly busy = h("p", { "data-testid": "busy" }); // how likely it is that somebody comes

  /** `invite` lets this browser sit down at a table that is not public. */
  constructor(
    private readonly send: (command: Command) => Promise<unknown>,
    private readonly invite: string | undefined,
  ) {}

  async render(table: TableView): Promise<void> {
    this.game ??= (await api.games().catch(() => [])).find((game) => game.name === table.game);
    const now = JSON.stringify([table.seats.map(({ kind, name, wants }) => [kind, name, wants]), table.you]);
    if (now === this.shown) return; // so that a name half typed is not lost
    this.shown = now;
    this.preview ??= h("div", { class: "preview", "data-testid": "preview" }, drawing(api.picture(table.game)));
    const free = table.seats.filter((seat) => seat.kind === "free").length;
    if (table.public && free > 0) void this.estimate(table.game);
    else this.busy.textContent = "";
    fill(
      this.element,
      h("h2", {}, free > 0 ? t("waitingForPlayers") : t("waitingForReturn")),
      this.preview,
      h("p", { "data-testid": "expected" }, expected(table, free)),
      this.busy,
      h("p", {}, company(table)),
      h("p", { class: "faint", "data-testid": "terms" }, `${clockText(table.clock)} · ${hintsText(table)}`),
      table.you === null ? free > 0 && this.sitForm(table) : this.seatedParts(table, free),
    );
  }

  /** Who plays this game now may come next. */
  private async estimate(game: string): Promise<void> {
    const count = await api.playing(game).catch(() => null);
    const words = count === 1 ? "onePlaysThis" : count ? "manyPlayThis" : "nobodyPlaysThis";
    this.busy.textContent = count === null ? "" : t(words, { count });
  }

  private sitForm(table: TableView): HTMLElement {
    const attributes = { value: settings().name, placeholder: t("guest"), "aria-label": t("yourName") };
    const name = checkName(h("input", { ...attributes, "data-testid": "sit-name" }));
    const names = this.game?.seat_names ?? [];
    const seats = names.length > 0 ? unclaimed(table) : []; // where seats have no names, nobody minds which it is
    const seat = seats.length > 0 && seatList(seats, names);
    const submit = once(async () => {
      saveSettings({ name: name.value.trim() });
      try {
        const where = seat ? seatWish(seat.value, false) : {};
        await takeSeat(table.id, name.value.trim() || t("guest"), where, this.invite);
        await navigate(location.pathname);
      } catch (error) {
        sayTrouble(error, name);
      }
    });
    const sit = h("button", { type: "submit", class: "brass", "data-testid": "sit" }, t("sitDown"));
    return h("form", { class: "row", onsubmit: submit }, name, seat, sit);
  }

  private seatedParts(table: TableView, free: number): HTMLElement {
    const bots = (this.game?.faces ?? []).map(({ name, title }): [string, string] => [name, title]);
    const attributes = { "aria-label": t("whichBot"), "data-testid": "fill-bot" };
    const bot = selectList(bots, this.game?.usual_bot ?? "", attributes);
    bot.hidden = bots.length < 2; // where there is nothing to decide, there are no levels
    const seat = table.seats.find(({ kind }) => kind === "free")?.seat;
    const putOne = once(async () => seat !== undefined && this.send({ type: "put_bot", seat, bot: bot.value }));
    const start = once(() => this.send({ type: "start", fill: bot.value }));
    const filling = h(
      "div",
      { class: "row" },
      bot,
      h("button", { type: "button", class: "quiet", "data-testid": "put-bot", onclick: putOne }, t("putBot")),
      h("button", { type: "button", class: "brass", "data-testid": "start", onclick: start }, t("startWithBots")),
    );
    if (free === 0) return h("div"); // nobody else can come
    if (isHere) return filling;
    const link = shareRow(playLink(table), "play-link");
    return h("div", {}, filling, h("h3", {}, t("inviteFriends")), codeLine(table), link);
  }
}
