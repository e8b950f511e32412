/** The table: the board, who sits around it, what happened, and what you can do now. */

import * as api from "../api";
import { dialog, go, type Page, toast } from "../app";
import { Board } from "../board";
import { h } from "../dom";
import { showHelp } from "../frame";
import { isArrow } from "../geometry";
import { refusal, t } from "../language";
import { heldSeat, hold, letGo, settings } from "../memory";
import { Motion } from "../motion";
import type { TableMessage, TableView, Update } from "../protocol";
import { type Command, type Ears, type Line, Socket } from "../socket";
import { sound } from "../sounds";
import { Choosing } from "../table/choosing";
import { EndingCard } from "../table/ending";
import * as models from "../table/model";
import { Toolbar, type Tools } from "../table/more";
import { Seats } from "../table/seats";
import { showSharing } from "../table/sharing";
import { Talk } from "../table/talk";
import { Waiting } from "../table/waiting";

const BEHIND = 3; // updates that may wait; with more, motion is left out to catch up

export async function table(id: string): Promise<Page> {
  const invite = await readFragment(id);
  const first = await api.look(id, heldSeat(id)?.token).catch((error: unknown) => {
    if (!(error instanceof api.Refused) || error.code !== "unauthorised") throw error;
    letGo(id);
    return api.look(id);
  });
  const game = (await api.games()).find((one) => one.name === first.game);
  return new TablePage(first, invite, new Seats(game?.seat_names ?? []));
}

/** A link's fragment holds an invitation or a seat: it is taken, and goes from the address bar. */
async function readFragment(id: string): Promise<string | undefined> {
  const given = new URLSearchParams(location.hash.slice(1));
  if (location.hash) history.replaceState(null, "", location.pathname);
  const token = given.get("seat");
  if (token) {
    const { you, game, title } = await api.look(id, token);
    if (you !== null) hold(id, { token, seat: you, game, title, at: Date.now() });
  }
  return given.get("invite") ?? heldSeat(id)?.invite;
}

class TablePage implements Page, Ears, Tools {
  readonly element: HTMLElement;
  readonly wide = true;
  title: string;
  private model: models.Model;
  private socket: Socket;
  private queue: Promise<void> = Promise.resolve();
  private waitingUpdates = 0;
  private gone = false;
  private wasYourTurn = false;
  private wantsRematch = false;
  private readonly timer: number;
  private readonly board: Board;
  private readonly choosing: Choosing;
  private readonly talk: Talk;
  private readonly toolbar: Toolbar;
  private readonly waiting: Waiting;
  private readonly endingCard = new EndingCard(() => this.rematch());
  private readonly banner = h("p", { class: "banner", role: "status", hidden: true, "data-testid": "connection" });
  private readonly watchers = h("span", { class: "faint", "data-testid": "watchers" });

  constructor(
    first: TableView,
    invite: string | undefined,
    private readonly seats: Seats,
  ) {
    this.title = first.title;
    this.model = models.begin(first, Date.now());
    this.board = new Board(first.title, (spot, how) => this.choosing.pick(spot, how));
    this.choosing = new Choosing(this.board, (chosen) => this.act(chosen));
    this.talk = new Talk((text) => void this.say({ type: "chat", text }));
    this.toolbar = new Toolbar(this.bound());
    this.waiting = new Waiting({ say: (command) => this.say(command), sat: () => this.sat(), invite });
    const rules = h("a", { href: `/rules/${first.game}`, class: "link" }, t("rules"));
    const head = h("div", { class: "table-head" }, h("h1", {}, first.title), this.watchers, rules);
    const middle = h("div", { class: "middle" }, this.waiting.element, this.board.element);
    const doing = h("div", { class: "doing" }, this.endingCard.element, this.choosing.element);
    this.element = h(
      "div",
      { class: "table", "data-testid": "table" },
      this.banner,
      head,
      this.seats.element,
      middle,
      doing,
      this.toolbar.element,
      this.talk.element,
    );
    this.timer = window.setInterval(() => this.seats.tick(), 500);
    this.socket = new Socket(first.id, heldSeat(first.id)?.token ?? null, this);
    this.render();
  }

  /** The tools as functions that can be handed about. */
  private bound(): Tools {
    return {
      undo: () => this.undo(),
      hint: () => this.hint(),
      flip: () => this.flip(),
      share: () => this.share(),
      notation: (text) => this.notation(text),
      resign: () => this.resign(),
      draw: (answer) => this.draw(answer),
      leave: () => this.giveUp(),
      back: () => this.back(),
    };
  }

  leave(): void {
    this.gone = true;
    clearInterval(this.timer);
    this.socket.close();
  }

  // What the server says.

  line(state: Line): void {
    const lost = state === "lost" || (state === "connecting" && !this.banner.hidden);
    if (state === "open" && !this.banner.hidden) toast(t("backAgain"));
    this.banner.hidden = !lost;
    this.banner.textContent = lost ? t("connectionLost") : "";
  }

  heard(message: TableMessage): void {
    if (message.type === "update") this.waitingUpdates += 1;
    this.queue = this.queue
      .then(() => (this.gone ? undefined : this.take(message)))
      .catch((error: unknown) => console.error(error));
  }

  private async take(message: TableMessage): Promise<void> {
    switch (message.type) {
      case "welcome":
        return this.welcome(message.table);
      case "update":
        this.waitingUpdates -= 1;
        return this.update(message);
      case "choices":
        this.model = models.offered(this.model, message);
        return this.render();
      case "presence":
        this.model = models.present(this.model, message);
        return this.render();
      case "bye":
        return this.parted(message.code, refusal(message));
      default:
        return undefined;
    }
  }

  private welcome(table: TableView): void {
    this.model = { ...models.begin(table, Date.now()), watching: this.model.watching };
    if (table.size && table.backdrop !== null) this.board.setGround(table.size, table.backdrop);
    if (table.position?.scene) this.board.setScene(table.position.scene);
    this.render();
  }

  private async update(update: Update): Promise<void> {
    const order = models.follows(this.model, update);
    if (order === "old") return;
    // An undo takes back what was told: the whole story is asked for anew.
    if (order === "gap" || update.kind === "start" || update.kind === "undo") return this.socket.hello();
    const scene = update.position?.scene;
    const motion = new Motion(this.board, settings().speed, sound);
    this.talk.tell(update.events.map((event) => event.text));
    if (scene && this.waitingUpdates < BEHIND && !document.hidden) await motion.play(update.events);
    motion.drop();
    this.model = models.updated(this.model, update, Date.now());
    if (scene) this.board.setScene(scene);
    if (update.kind === "chat" && update.seat !== this.model.table.you) sound("chat");
    if (update.ending) sound("win");
    this.render();
    if (update.kind === "rematch" && this.wantsRematch) this.rematch();
  }

  private parted(code: string, message: string): void {
    if (code === "unauthorised") {
      letGo(this.model.table.id);
      go(location.pathname);
      return;
    }
    this.banner.hidden = false;
    this.banner.textContent = message;
  }

  // What is shown.

  private render(): void {
    const { table } = this.model;
    const isOpen = table.phase === "open";
    this.element.dataset.ply = String(this.ply);
    this.waiting.element.hidden = !isOpen;
    this.board.element.hidden = isOpen;
    this.choosing.element.hidden = table.phase !== "playing";
    if (isOpen) void this.waiting.render(table);
    this.seats.render(this.model);
    this.talk.render(table);
    this.toolbar.render(table, models.isYourTurn(this.model));
    this.endingCard.render(table);
    this.watchers.textContent = this.model.watching > 0 ? t("watching", { count: this.model.watching }) : "";
    this.choosing.set({
      ply: table.position?.ply ?? -1,
      choices: models.isYourTurn(this.model) ? table.choices : [],
      last: table.position?.picks ?? [],
      status: this.status(),
    });
    this.callYou();
  }

  private status(): string {
    const { table } = this.model;
    if (models.isYourTurn(this.model)) return t("yourTurn");
    const mover = table.position?.to_move;
    const name = mover === null || mover === undefined ? "" : (table.seats[mover]?.name ?? "");
    const words = t("theirMove", { name });
    return table.you === null ? `${t("youWatch")} ${words}` : words;
  }

  /** The title, a sound, and, if the page is not looked at, a notification: it is your turn. */
  private callYou(): void {
    const { table } = this.model;
    const yours = models.isYourTurn(this.model);
    document.title = yours ? `● ${t("yourTurn")} · ${table.title}` : `${table.title} · Parlour`;
    this.title = document.title;
    const began = yours && !this.wasYourTurn;
    this.wasYourTurn = yours;
    if (!began) return;
    sound("turn");
    if (document.hidden && settings().notify && Notification.permission === "granted") {
      const note = new Notification(t("yourTurn"), { body: table.title, tag: table.id });
      note.onclick = () => window.focus();
    }
  }

  // What you do.

  private async say(command: Command): Promise<boolean> {
    const answer = await this.socket.say(command);
    if (answer.type !== "reject") return true;
    toast(refusal(answer), "error");
    sound("error");
    if (answer.code === "stale") this.socket.hello();
    return false;
  }

  /** Play. Once it is done these choices are gone, though the picture may still be on its way to the next ones. */
  private async act(chosen: Record<string, unknown>): Promise<boolean> {
    const { ply } = this;
    const done = await this.say({ type: "act", ply, ...chosen });
    if (done && this.ply === ply)
      this.model = models.offered(this.model, { type: "choices", ply, choices: [], may_undo: false });
    this.render();
    return done;
  }

  private get ply(): number {
    return this.model.table.position?.ply ?? 0;
  }

  undo(): void {
    if (this.model.table.may_undo) void this.say({ type: "undo", ply: this.ply });
  }

  hint(): void {
    if (!models.isYourTurn(this.model) || !this.model.table.hints) return;
    toast(t("thinking"));
    void this.socket.say({ type: "hint" }).then((answer) => {
      if (answer.type === "reject") toast(refusal(answer), "error");
      if (answer.type === "hint" && answer.ply === this.ply) this.choosing.showHints(answer.best);
    });
  }

  flip(): void {
    this.board.flip();
  }

  share(): void {
    showSharing(this.model.table);
  }

  notation(text: string): void {
    void this.act({ text });
  }

  resign(): void {
    this.sure(t("sureResign"), t("resign"), () => void this.say({ type: "resign" }));
  }

  draw(answer: "offer" | "accept" | "decline"): void {
    void this.say({ type: "draw", answer });
  }

  giveUp(): void {
    const { id } = this.model.table;
    this.sure(t("sureLeave"), t("leaveSeat"), () => {
      void this.say({ type: "leave" }).then((done) => {
        if (!done) return;
        letGo(id);
        go("/");
      });
    });
  }

  back(): void {
    void this.say({ type: "back" });
  }

  private sure(question: string, yes: string, act: () => void): void {
    const ok = h("button", { type: "button", class: "brass", "data-testid": "sure" }, yes);
    const window = dialog(yes, t("close"), h("p", {}, question), h("div", { class: "row" }, ok));
    ok.addEventListener("click", () => {
      window.close();
      act();
    });
  }

  private sat(): void {
    go(location.pathname);
  }

  /** To the rematch, if there is one; else ask for it. */
  private rematch(): void {
    const { rematch, you, id, seats } = this.model.table;
    const held = heldSeat(id);
    if (rematch && (you === null || !held)) {
      go(`/table/${rematch}`);
      return;
    }
    if (!rematch || you === null || !held) {
      this.wantsRematch = true;
      return void this.say({ type: "rematch" });
    }
    void api
      .sit(rematch, { name: seats[you]?.name ?? t("guest") }, held.token)
      .catch((error: unknown) => {
        if (!(error instanceof api.Refused) || error.code !== "seat_taken") throw error;
      })
      .then(() => {
        hold(rematch, { ...held, at: Date.now() });
        go(`/table/${rematch}`);
      })
      .catch((error: unknown) => toast(String(error), "error"));
  }

  key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.shiftKey && isArrow(event.key)) return void (this.choosing.order(event.key) && event.preventDefault());
    const keys: Record<string, () => void> = {
      Escape: () => this.choosing.cancel(),
      "?": showHelp,
      f: () => this.flip(),
      u: () => this.undo(),
      h: () => this.hint(),
      a: () => this.choosing.selectAll(),
      "/": () => this.toolbar.notation.focus(),
      c: () => this.talk.focus(),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}
