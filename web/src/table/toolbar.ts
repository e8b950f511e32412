/** The tools beside the board: undo, hint, flip, share, typed notation; and leaving in one way or another. */

import type { ChanceSwitch } from "../chances/switch";
import { h, ICONS, icon, iconButton, once } from "../dom";
import { isHere } from "../house";
import { t } from "../language";
import { closesByItself } from "../menu";
import type { SeatView, TableView } from "../protocol";
import { isMuted } from "../sound";
import { DEFAULTS, onSettings, saveSettings, settings } from "../storage";
import { type Zoom, zoomButtons } from "../zoom";
import type { TableActions } from "./actions";
import { goneSeat, isPlaying } from "./model";
import { showSharing } from "./share";
import { TurnPush } from "./turn-push";

export interface ToolbarOptions {
  actions: TableActions;
  flip(): void;
  zoom: Zoom;
  type(text: string): Promise<boolean>; // play what was typed; false if it was refused
  table(): TableView;
  chances: ChanceSwitch;
  chat: HTMLElement; // leads to what is said
}

export class Toolbar {
  readonly element: HTMLElement;
  readonly notation = h("input", {
    class: "notation",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: "100",
    placeholder: t("notationShort"),
    "aria-label": t("notation"),
    "data-testid": "notation",
  });
  private readonly undo: HTMLButtonElement;
  private readonly flip: HTMLButtonElement;
  private readonly hint: HTMLButtonElement;
  private readonly offerDraw: HTMLButtonElement;
  private readonly resign: HTMLButtonElement;
  private readonly menu: HTMLDetailsElement;
  private readonly form: HTMLFormElement;
  private readonly turnPush = new TurnPush();
  private readonly notices: Notices;
  private readonly zooming: HTMLElement;
  readonly stop: () => void; // nothing is heard of settings any more

  // Every button is made once, and only hidden or shown later: what has the focus keeps it.
  constructor(private readonly options: ToolbarOptions) {
    const { actions, flip, table, zoom, chances, chat } = options;
    this.undo = iconButton(ICONS.undo, t("undo"), { "data-testid": "undo", onclick: once(() => actions.undo()) });
    this.hint = iconButton(ICONS.hint, t("hint"), { "data-testid": "hint", onclick: once(() => actions.hint()) });
    this.flip = iconButton(ICONS.flip, t("flip"), { "data-testid": "flip", onclick: flip });
    const share = iconButton(ICONS.share, t("share"), { "data-testid": "share", onclick: () => showSharing(table()) });
    const mute = muteButton();
    this.stop = mute.stop;
    this.form = h("form", { onsubmit: once(() => this.submit()) }, this.notation);
    this.offerDraw = this.item(t("offerDraw"), "offer-draw", () => actions.answerDraw("offer"));
    this.resign = this.item(t("resign"), "resign", async () => actions.resign());
    const leave = this.item(t("leaveSeat"), "leave", async () => actions.leave());
    const summary = h(
      "summary",
      { class: "ghost", "aria-label": t("more"), title: t("more"), "data-testid": "more" },
      "⋯",
    );
    const items = h("div", { class: "more-items" }, !isHere && this.turnPush.element, chances.item);
    items.append(this.offerDraw, this.resign, leave);
    this.menu = closesByItself(h("details", { class: "more" }, summary, items));
    chances.item.addEventListener("click", () => {
      this.menu.open = false;
    });
    this.menu.addEventListener("toggle", () => this.menu.open && void this.turnPush.offer());
    this.notices = new Notices(actions);
    this.zooming = zoomButtons(zoom);
    const bar = h(
      "div",
      { class: "toolbar" },
      this.undo,
      this.hint,
      this.flip,
      this.zooming,
      chances.button,
      mute.button,
      !isHere && share,
      !isHere && chat,
      this.form,
      this.menu,
    );
    this.element = h("div", { class: "beside" }, this.notices.element, bar);
  }

  private item(words: string, testid: string, act: () => Promise<void>): HTMLButtonElement {
    const run = once(() => {
      this.menu.open = false;
      return act();
    });
    return h("button", { type: "button", "data-testid": testid, onclick: run }, words);
  }

  /** Play what was typed. What is refused stays in its field, to be mended. */
  private async submit(): Promise<void> {
    const text = this.notation.value.trim();
    if (text && (await this.options.type(text)) && this.notation.value.trim() === text) this.notation.value = "";
  }

  render(table: TableView, mayChoose: boolean): void {
    const plays = isPlaying(table);
    const people = table.seats.filter((seat) => seat.kind === "person").length;
    this.undo.disabled = !table.may_undo;
    this.hint.disabled = !mayChoose;
    this.undo.hidden = this.form.hidden = !plays;
    this.hint.hidden = !plays || !table.hints; // it was agreed on when the table was opened
    this.flip.hidden = this.zooming.hidden = table.phase === "open";
    this.menu.hidden = !plays && (table.you === null || table.phase !== "open");
    this.offerDraw.hidden = !plays || table.seats.length !== 2 || people !== 2 || table.offer !== null;
    this.resign.hidden = !plays;
    this.notation.disabled = !mayChoose;
    this.turnPush.render(table);
    this.notices.render(table);
  }
}

/** Sounds off, and on again, without leaving the table. It says so, too, where the volume is none. */
function muteButton(): { button: HTMLElement; stop: () => void } {
  const button = iconButton(ICONS.sound, t("mute"), { "data-testid": "mute" });
  const show = (): void => {
    const isSilent = isMuted();
    button.replaceChildren(icon(isSilent ? ICONS.mute : ICONS.sound));
    button.title = t(isSilent ? "unmute" : "mute");
    button.setAttribute("aria-label", button.title);
  };
  button.addEventListener("click", () => {
    saveSettings(isMuted() ? { muted: false, volume: settings().volume || DEFAULTS.volume } : { muted: true });
  });
  show();
  return { button, stop: onSettings(show) };
}

/** What waits for an answer of yours. */
class Notices {
  readonly element: HTMLElement;
  private readonly offered: HTMLElement;
  private readonly waits = h("p", { class: "notice" }, t("drawWaits"));
  private readonly replaced: HTMLElement;
  private readonly bot = document.createTextNode("");
  private readonly gone = h("span", {});
  private readonly watching: HTMLElement;

  constructor(actions: TableActions) {
    const button = (words: string, testid: string, act: () => Promise<void>): HTMLElement =>
      h("button", { type: "button", class: "quiet", "data-testid": testid, onclick: once(act) }, words);
    const accept = button(t("accept"), "accept-draw", () => actions.answerDraw("accept"));
    const decline = button(t("decline"), "decline-draw", () => actions.answerDraw("decline"));
    this.offered = h("p", { class: "notice" }, t("drawOffered"), " ", accept, decline);
    this.replaced = h(
      "p",
      { class: "notice" },
      this.bot,
      " ",
      button(t("imBack"), "back", () => actions.comeBack()),
    );
    const lobby = h("a", { class: "button quiet", href: "/", "data-testid": "gone-lobby" }, t("toLobby"));
    this.watching = h("p", { class: "notice", role: "status", "data-testid": "gone" }, this.gone, " ", lobby);
    this.element = h("div", { class: "notices" }, this.offered, this.waits, this.replaced, this.watching);
  }

  render(table: TableView): void {
    const seat = isPlaying(table) ? table.seats[table.you ?? -1] : undefined;
    const gone = goneSeat(table);
    this.offered.hidden = !seat || table.offer === null || table.offer === table.you;
    this.waits.hidden = !seat || table.offer === null || table.offer !== table.you;
    this.replaced.hidden = !seat?.stand_in;
    this.watching.hidden = !gone;
    if (gone) this.gone.textContent = goneText(gone);
    if (seat?.stand_in) this.bot.data = t("botPlaysForYou", { bot: seat.stand_in });
  }
}

/** Why you only watch a match in which you have a seat. */
function goneText({ away, stand_in }: SeatView): string {
  const why = away === "resigned" ? "youResigned" : away === "left" ? "youLeft" : "youRanOut";
  return `${t(why)} ${t("botPlaysOn", { bot: stand_in ?? "" })}`;
}
