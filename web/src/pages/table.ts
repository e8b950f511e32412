/** The table: the board, who sits around it, what happened, and what you can do now. */

import * as api from "../api";
import { Board } from "../board";
import { Connection, type ConnectionListener, type ConnectionState } from "../connection";
import { h } from "../dom";
import { Explainer } from "../explain";
import { Faces } from "../faces";
import { isArrow } from "../geometry";
import { Homing } from "../homing";
import { isHere } from "../house";
import { joinNames, refusal, t } from "../language";
import * as questions from "../learn/api";
import { isGuided } from "../learn/guided";
import { playButton } from "../lobby/play-button";
import { showNotice } from "../notice";
import { navigate, type Page } from "../page";
import type { Bye, ChoiceView, GameView, SeatView, TableMessage, TableView, Update } from "../protocol";
import { RulebookPanel } from "../rulebook-panel";
import { sound } from "../sound";
import { forgetSeat, heldSeat, holdSeat, markOver, settings } from "../storage";
import { TableActions } from "../table/actions";
import { TableChances } from "../table/chances";
import { type Act, ChoicePanel } from "../table/choices";
import { ConnectionBanner } from "../table/connection-banner";
import { EndingCard } from "../table/ending";
import { Latest } from "../table/latest";
import * as models from "../table/model";
import { newsOf } from "../table/news";
import { Playback } from "../table/playback";
import { Reactions } from "../table/reactions";
import { Seats } from "../table/seats";
import { StoryAndChat } from "../table/story-and-chat";
import { Toolbar } from "../table/toolbar";
import { TurnAlert } from "../table/turn-alert";
import { WaitingRoom } from "../table/waiting-room";
import { shortened } from "../text";
import { toast } from "../toast";
import { leaveFull, zoomKeys } from "../zoom";

const TICK = 100; // milliseconds between two looks at the clocks
const CHOICES_WITHIN = 3000; // milliseconds in which the choices of your turn are told, or else asked for

export async function table(id: string): Promise<Page> {
  const invite = await readFragment(id);
  const first = await api.look(id, heldSeat(id)?.token).catch((error: unknown) => {
    if (!(error instanceof api.Refused) || error.code !== "unauthorised") throw error;
    forgetSeat(id);
    return api.look(id);
  });
  const game = (await api.games()).find((one) => one.name === first.game);
  const faces = new Faces(game?.faces ?? []);
  return new TablePage(faces.table(first), invite, new Seats(game?.seat_names ?? []), faces, game);
}

/** A link's fragment holds an invitation or a seat: it is taken, and goes from the address bar. */
async function readFragment(id: string): Promise<string | undefined> {
  const given = new URLSearchParams(location.hash.slice(1));
  if (location.hash) history.replaceState(null, "", location.pathname);
  const token = given.get("seat");
  if (token) {
    const { you, game, title } = await api.look(id, token);
    if (you !== null) holdSeat(id, { token, seat: you, game, title, at: Date.now() });
  }
  return given.get("invite") ?? heldSeat(id)?.invite;
}

class TablePage implements Page, ConnectionListener {
  readonly element: HTMLElement;
  readonly wide = true;
  title: string;
  private model: models.Model; // how the table is, by the last word of the server
  private shown: models.Model; // how it is drawn: as the model is, once everything has moved
  private isLive = false; // the server has told of the table on this connection
  private isAsking = false; // for the whole table
  private isHurried = false; // bots are to play without pauses until it is a person's turn
  private unread: string[] = []; // what happened since it was last drawn
  private choicesDue = 0;
  private askedAt = -1; // the entry of the log at which choices were asked for
  private readonly clockTimer: number;
  private readonly connection: Connection;
  private readonly actions: TableActions;
  private readonly playback: Playback;
  private readonly board: Board;
  private readonly homing: Homing;
  private readonly choices: ChoicePanel;
  private readonly storyAndChat: StoryAndChat;
  private readonly toolbar: Toolbar;
  private readonly rulebook: RulebookPanel;
  private readonly explainer: Explainer;
  private readonly waitingRoom: WaitingRoom;
  private readonly endingCard: EndingCard;
  private readonly chances: TableChances;
  private readonly reactions: Reactions;
  private readonly latest: Latest;
  private readonly newMatch: HTMLElement | null; // for whoever is out
  private readonly banner = new ConnectionBanner();
  private readonly turnAlert = new TurnAlert();
  private readonly watchers = h("span", { class: "faint", "data-testid": "watchers" });

  constructor(
    first: TableView,
    invite: string | undefined,
    private readonly seats: Seats,
    private readonly faces: Faces,
    game: GameView | undefined,
  ) {
    this.model = this.shown = models.newModel(first, performance.now());
    this.connection = new Connection(first.id, heldSeat(first.id)?.token ?? null, this);
    this.actions = new TableActions(
      this.connection,
      () => this.model,
      (hints) => this.choices.showHints(hints),
      (isThinking) => this.choices.showThinking(isThinking),
    );
    this.board = new Board(first.title, (spot, options) => this.choices.pick(spot, options));
    this.homing = new Homing(this.board);
    const act: Act = (ply, chosen) => {
      this.board.drawer.letGo();
      return this.actions.act(ply, chosen);
    };
    this.choices = new ChoicePanel(this.board, act, {
      mayPlan: () => this.shown.table.hints,
      plan: () => this.actions.plan(),
      takeBack: (choices) => this.actions.undo(choices),
      isLost: () => this.homing.isNeeded(this.shown.table.you ?? -1),
      find: () => this.homing.find(this.shown.table.you ?? -1),
    });
    this.rulebook = new RulebookPanel(first.game);
    this.explainer = new Explainer(this.board, this.questions(first.id));
    this.explainer.tellOf(this.choices.element, this.choices.lastSpot);
    this.choices.onMissed = (tried) => void this.explainer.answer(tried);
    this.storyAndChat = new StoryAndChat((text) => this.actions.say(text));
    this.reactions = new Reactions((reaction) => this.actions.react(reaction));
    this.waitingRoom = new WaitingRoom((command) => this.actions.send(command), invite);
    this.endingCard = new EndingCard(() => this.actions.rematch(), game?.lesson ?? false);
    this.latest = new Latest(game?.goal ?? "");
    this.newMatch = game ? h("div", { class: "row", "data-testid": "new-match" }, playButton(game)) : null;
    this.chances = new TableChances(
      () => this.shown.table,
      (isAsked) => this.connection.askChances(isAsked),
    );
    this.toolbar = new Toolbar({
      actions: this.actions,
      flip: () => this.board.flip(),
      zoom: this.board.zoom,
      type: async (text) => (await this.actions.act(models.plyOf(this.model), { text })) !== null,
      table: () => this.model.table,
      chances: this.chances.switch,
      chat: this.storyAndChat.button,
    });
    this.playback = new Playback(
      this.board,
      (model) => this.draw(model),
      (told) => this.latest.show(told),
    );
    this.board.element.addEventListener("click", (event) => this.hurry(event.detail < 2)); // whoever is impatient
    this.clockTimer = window.setInterval(() => this.seats.tick(this.model), TICK);
    this.element = this.arrange(first);
    this.title = this.turnAlert.update(this.model);
    this.draw(this.model);
  }

  private questions(id: string): ConstructorParameters<typeof Explainer>[1] {
    const token = (): string | undefined => heldSeat(id)?.token;
    return {
      explain: (name) => questions.explainAtTable(id, token(), name),
      whyNot: (tried) => questions.whyNotAtTable(id, token(), tried),
      picked: () => this.choices.picked,
      isChoosing: () => models.mayChoose(this.shown),
      openClause: (clause) => void this.rulebook.open(clause),
    };
  }

  private arrange({ title }: TableView): HTMLElement {
    return h(
      "div",
      { class: "table", "data-testid": "table" },
      this.banner.element,
      h(
        "div",
        { class: "play" },
        h(
          "div",
          { class: "table-head" },
          h("h1", {}, title),
          this.watchers,
          this.board.drawer.button,
          !isHere && this.reactions.button,
          this.explainer.button,
          this.rulebook.link(),
        ),
        this.seats.element,
        h("div", { class: "middle" }, this.waitingRoom.element, this.board.element),
        h(
          "div",
          { class: "doing" },
          this.chances.bar.element,
          this.endingCard.element,
          h("div", { class: "happened" }, this.board.thrown, this.latest.element),
          this.choices.element,
        ),
        this.toolbar.element,
        this.rulebook.element,
      ),
      this.storyAndChat.element,
      this.reactions.element,
    );
  }

  leave(): void {
    clearInterval(this.clockTimer);
    clearTimeout(this.choicesDue);
    this.connection.close();
    this.toolbar.stop();
    this.rulebook.close();
    this.playback.stop();
    this.reactions.stop();
    leaveFull();
  }

  /** Show how things are now, and let bots play on without pauses until it is your turn. */
  private hurry(bots = true): void {
    this.playback.catchUp();
    if (!bots || !models.isBotsTurn(this.model)) return; // a double click is a choice made twice
    this.isHurried = true;
    this.playback.hurry();
    this.connection.hurryBots();
  }

  // What the server says. It is true at once; drawing, motion and sounds follow.

  onState(state: ConnectionState): void {
    if (state !== "open") this.isAsking = this.isLive = false;
    this.banner.show(state);
  }

  onMessage(told: TableMessage): void {
    const message = this.faces.message(told);
    switch (message.type) {
      case "welcome":
        this.onWelcome(message.table);
        break;
      case "update":
        this.onUpdate(message);
        break;
      case "choices":
        this.model = models.withChoices(this.model, message);
        this.playback.change(this.model);
        break;
      case "chances":
        this.model = models.withChances(this.model, message);
        this.playback.change(this.model);
        break;
      case "presence":
        showNotice(message.notice ?? "");
        this.model = models.withPresence(this.model, message);
        this.playback.change(this.model);
        break;
      case "bye":
        this.onBye(message);
    }
    this.isHurried &&= models.isBotsTurn(this.model);
    this.title = this.turnAlert.update(this.model);
    this.expectChoices();
    void this.actions.reveal();
  }

  private onWelcome(table: TableView): void {
    this.isLive = true;
    this.isAsking = false;
    const { watching, warming } = this.model; // what is told of who is here
    this.model = { ...models.newModel(table, performance.now()), watching, warming };
    this.playback.skipTo(this.model);
    if (this.isHurried) this.connection.hurryBots(); // it may have been lost with the last connection
  }

  private onUpdate(update: Update): void {
    const order = models.order(this.model, update);
    if (order === "old" || this.isAsking) return;
    // An undo takes back what was told: the whole story is asked for anew.
    if (order === "gap" || update.kind === "undo") {
      this.askForTable();
      return;
    }
    const before = this.model.table;
    for (const news of newsOf(this.model, update, this.seats.names)) toast(news);
    this.model = models.withUpdate(this.model, update, performance.now());
    // The board comes first, then what is thrown, and then what comes of it.
    if (update.kind === "start") this.playback.skipTo(models.beforeDice(this.model, update));
    this.unread.push(...update.events.map((event) => event.text));
    this.latest.hear(update.events);
    const isOver = update.seat === before.you && this.model.table.position?.turn !== before.position?.turn;
    if (update.position?.scene) this.playback.move(this.model, update.events, isOver);
    else this.playback.change(this.model);
    if (update.kind === "chat") this.hear(update);
    if (update.kind === "rematch") void this.actions.rematchOpened();
  }

  /** Somebody says something. Who does not see it is told, unless they have muted talk. */
  private hear({ seat, body }: Update): void {
    const { you, seats } = this.model.table;
    if (seat !== you && settings().muteTalk) return;
    if (seat !== you) sound("chat");
    const words = this.reactions.show(seat, body.reaction);
    if (words) this.storyAndChat.readAloud([`${seats[seat]?.name ?? ""}: ${words}`]);
    const line = this.model.table.chat.at(-1);
    if (line && !words && seat !== you && !this.storyAndChat.isChatSeen) toast(shortened(`${line.name}: ${line.text}`));
  }

  private askForTable(): void {
    this.isAsking = true;
    this.connection.hello();
  }

  private onBye({ code, message }: Bye): void {
    if (code === "unauthorised") {
      forgetSeat(this.model.table.id);
      void navigate(location.pathname);
    } else this.banner.say(refusal({ code, message }));
  }

  /** The choices of a turn come by themselves; if they do not, ask once. */
  private expectChoices(): void {
    clearTimeout(this.choicesDue);
    const { table } = this.model;
    const isPlayedForYou = table.you !== null && table.seats[table.you]?.stand_in !== null;
    if (!models.isYourTurn(this.model) || table.choices.length > 0 || isPlayedForYou) return;
    if (!this.isLive || this.askedAt === table.number) return;
    this.choicesDue = window.setTimeout(() => {
      this.askedAt = table.number;
      this.askForTable();
    }, CHOICES_WITHIN);
  }

  // What is shown.

  private draw(model: models.Model): void {
    const { table } = model;
    const hasEnded = table.phase === "over" && this.shown.table.phase === "playing";
    const isYourTurn = models.isYourTurn(model);
    if (isYourTurn && !models.isYourTurn(this.shown)) {
      sound("turn");
      if (isGuided(table.id)) void this.actions.hint();
    }
    if (hasEnded) sound(table.ending?.winners.includes(table.you ?? -1) ? "win" : "end");
    if (table.phase === "over" || models.goneSeat(table)) markOver(table.id);
    this.shown = model;
    const parts = [
      () => this.drawBoard(table),
      () => this.seats.render(model),
      () => this.chances.render(table),
      () => this.storyAndChat.render(table),
      () => this.latest.render(table, isYourTurn),
      () => this.reactions.render(table),
      () => this.storyAndChat.readAloud(this.unread.splice(0)),
      () => this.toolbar.render(table, models.mayChoose(model)),
      () => this.endingCard.render(table),
      () => this.drawChoices(model),
    ];
    for (const part of parts) attempt(part);
    this.watchers.textContent = model.watching > 0 ? t("watching", { count: model.watching }) : "";
    this.element.dataset.ply = String(models.plyOf(model));
    this.element.dataset.phase = table.phase;
  }

  private drawBoard(table: TableView): void {
    const isOpen = table.phase === "open";
    this.waitingRoom.element.hidden = !isOpen;
    this.board.element.hidden = isOpen;
    if (isOpen) void this.waitingRoom.render(table);
    if (table.size && table.backdrop !== null) this.board.setGround(table.size, table.backdrop);
    if (table.position?.scene) this.board.setScene(table.position.scene);
  }

  private drawChoices(model: models.Model): void {
    const { table } = model;
    this.choices.element.hidden = table.phase !== "playing";
    this.choices.set({
      number: table.number,
      ply: models.plyOf(model),
      choices: models.mayChoose(model) && table.position?.scene ? offered(table) : [],
      last: chosen(table)?.picks ?? table.position?.picks ?? [],
      status: this.status(model),
      atOnce: table.position?.at_once !== undefined,
      chosen: models.yours(table),
      prompt: table.prompt,
      instead: models.isOut(table) ? this.newMatch : null,
      turn: table.position?.turn ?? -1,
    });
    if (table.you !== null && table.phase === "playing" && table.position?.scene)
      this.homing.look(table.you, table.position.turn, models.isYourTurn(model));
  }

  private status(model: models.Model): string {
    const { table } = model;
    if (!table.position?.scene) return t("connecting");
    if (models.isYourTurn(model)) return t("yourTurn");
    if (models.isOut(table)) return t("youAreOut");
    if (table.seats.length === 0) return t("playsItself");
    if (table.position.to_move === null) return t("whoBegins");
    const names = joinNames(models.awaited(table).map((seat) => table.seats[seat]?.name ?? ""));
    const choice = models.mayChoose(model) ? chosen(table) : undefined;
    if (choice) return t("youHaveChosen", { choice: choice.label || choice.text, names });
    const words = table.position.at_once
      ? t("waitingFor", { names })
      : this.whoMoves(table, table.seats[table.position.to_move]);
    return table.you === null || models.goneSeat(table) ? `${t("youWatch")} ${words}` : words;
  }

  private whoMoves(table: TableView, mover: SeatView | undefined): string {
    const isYours = mover !== undefined && mover.seat === table.you;
    return isYours ? t("botMovesForYou", { bot: mover.stand_in ?? "" }) : t("theirMove", { name: mover?.name ?? "" });
  }

  key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.shiftKey && isArrow(event.key)) {
      if (this.choices.order(event.key)) event.preventDefault();
      return;
    }
    const keys: Record<string, () => unknown> = {
      ...zoomKeys(this.board.zoom),
      ...this.reactions.keys(),
      Escape: () => this.explainer.close() || this.choices.cancel(),
      f: () => this.board.flip(),
      w: () => this.explainer.toggle(),
      s: () => this.hurry(),
      u: () => this.actions.undo(),
      h: () => this.actions.hint(),
      a: () => this.choices.selectAll(),
      "/": () => this.toolbar.notation.focus(),
      c: () => this.storyAndChat.focus(),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

/** What you have chosen while others have still to choose. */
const chosen = (table: TableView): ChoiceView | undefined =>
  table.choices.find(({ action }) => action === models.yours(table));

/** What you can choose; what you have chosen stands out. */
const offered = (table: TableView): ChoiceView[] =>
  chosen(table) ? table.choices.map((one) => ({ ...one, usual: one === chosen(table) })) : table.choices;

/** What cannot be drawn does not keep the rest from being drawn. */
function attempt(part: () => void): void {
  try {
    part();
  } catch (error) {
    console.error(error);
  }
}
