/** The table before the match: who sits where, free seats, and how to fill them. */

import * as api from "../api";
import { toast } from "../app";
import { fill, h } from "../dom";
import { t } from "../language";
import { change, settings } from "../memory";
import { explained } from "../pages/missing";
import { takeSeat } from "../pages/opening";
import type { GameView, TableView } from "../protocol";
import type { Command } from "../socket";
import { linked, playLink } from "./sharing";

export interface Host {
  say(command: Command): Promise<unknown>;
  sat(): void; // this browser has taken a seat
  invite: string | undefined;
}

export class Waiting {
  readonly element = h("section", { class: "card waiting", "data-testid": "waiting" });
  private game: GameView | undefined;
  private shown = "";

  constructor(private readonly host: Host) {}

  async render(table: TableView): Promise<void> {
    this.game ??= (await api.games()).find((game) => game.name === table.game);
    const now = JSON.stringify([table.seats.map((seat) => [seat.kind, seat.name]), table.you]);
    if (now === this.shown) return; // so that a name half typed is not lost
    this.shown = now;
    const free = table.seats.filter((seat) => seat.kind === "free").length;
    fill(
      this.element,
      h("h2", {}, free > 0 ? t("waitingForPlayers") : t("waitingForReturn")),
      h("p", {}, t("seatsFree", { count: free })),
      table.you === null ? (free > 0 ? this.sitting(table) : null) : this.seatedParts(table, free),
    );
  }

  private sitting(table: TableView): HTMLElement {
    const name = h("input", {
      value: settings().name,
      placeholder: t("guest"),
      maxlength: "40",
      "data-testid": "sit-name",
    });
    name.setAttribute("aria-label", t("yourName"));
    const submit = async (event: Event): Promise<void> => {
      event.preventDefault();
      change({ name: name.value.trim() });
      try {
        await takeSeat(table.id, name.value.trim() || t("guest"), this.host.invite);
        this.host.sat();
      } catch (error) {
        toast(explained(error), "error");
      }
    };
    const sit = h("button", { type: "submit", class: "brass", "data-testid": "sit" }, t("sitDown"));
    return h("form", { class: "row", onsubmit: (event: Event) => void submit(event) }, name, sit);
  }

  private seatedParts(table: TableView, free: number): HTMLElement {
    const bots = this.game?.bots ?? [];
    const bot = h("select", { "aria-label": t("whichBot"), "data-testid": "fill-bot" });
    for (const name of bots) bot.append(h("option", { value: name, selected: name === this.game?.usual_bot }, name));
    const one = (): void => {
      const seat = table.seats.find((seat) => seat.kind === "free")?.seat;
      if (seat !== undefined) void this.host.say({ type: "put_bot", seat, bot: bot.value });
    };
    const all = (): void => void this.host.say({ type: "start", fill: bot.value });
    const filling = h(
      "div",
      { class: "row" },
      bot,
      h("button", { type: "button", class: "quiet", "data-testid": "put-bot", onclick: one }, t("putBot")),
      h("button", { type: "button", class: "brass", "data-testid": "start", onclick: all }, t("startWithBots")),
    );
    return h("div", {}, h("h3", {}, t("inviteFriends")), linked(playLink(table), "play-link"), free > 0 && filling);
  }
}
