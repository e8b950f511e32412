/** The tools beside the board: undo, hint, flip, share, typed notation; and leaving in one way or another. */

import { h, ICONS, iconButton } from "../dom";
import { t } from "../language";
import type { TableView } from "../protocol";

export interface Tools {
  undo(): void;
  hint(): void;
  flip(): void;
  share(): void;
  notation(text: string): void;
  resign(): void;
  draw(answer: "offer" | "accept" | "decline"): void;
  leave(): void;
  back(): void;
}

export class Toolbar {
  readonly element: HTMLElement;
  readonly notation = h("input", {
    class: "notation",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: "100",
    "data-testid": "notation",
  });
  private readonly undo: HTMLButtonElement;
  private readonly flip: HTMLButtonElement;
  private readonly hint: HTMLButtonElement;
  private readonly more = h("div", { class: "more-items" });
  private readonly menu: HTMLDetailsElement;
  private readonly form: HTMLFormElement;
  private readonly notices = h("div", { class: "notices" });

  constructor(private readonly tools: Tools) {
    this.notation.placeholder = t("notationShort");
    this.notation.setAttribute("aria-label", t("notation"));
    this.undo = iconButton(ICONS.undo, t("undo"), { "data-testid": "undo", onclick: tools.undo });
    this.hint = iconButton(ICONS.hint, t("hint"), { "data-testid": "hint", onclick: tools.hint });
    this.flip = iconButton(ICONS.flip, t("flip"), { "data-testid": "flip", onclick: tools.flip });
    const share = iconButton(ICONS.share, t("share"), { "data-testid": "share", onclick: tools.share });
    this.form = h("form", { onsubmit: (event: Event) => this.submit(event) }, this.notation);
    const summary = h(
      "summary",
      { class: "ghost", "aria-label": t("more"), title: t("more"), "data-testid": "more" },
      "⋯",
    );
    this.menu = h("details", { class: "more" }, summary, this.more);
    const bar = h("div", { class: "toolbar" }, this.undo, this.hint, this.flip, share, this.form, this.menu);
    this.element = h("div", { class: "beside" }, this.notices, bar);
  }

  private submit(event: Event): void {
    event.preventDefault();
    const text = this.notation.value.trim();
    if (text) this.tools.notation(text);
    this.notation.value = "";
  }

  render(table: TableView, isYourTurn: boolean): void {
    const plays = table.you !== null && table.phase === "playing";
    this.undo.disabled = !table.may_undo;
    this.hint.disabled = !isYourTurn || !table.hints;
    this.undo.hidden = this.hint.hidden = this.form.hidden = !plays;
    this.flip.hidden = table.phase === "open";
    this.menu.hidden = table.you === null || table.phase === "over";
    this.notation.disabled = !isYourTurn;
    this.more.replaceChildren(...this.items(table));
    this.notices.replaceChildren(...this.noticed(table));
  }

  private items(table: TableView): HTMLElement[] {
    const run = (act: () => void): void => {
      this.menu.open = false;
      act();
    };
    const one = (words: string, testid: string, act: () => void): HTMLElement =>
      h("button", { type: "button", "data-testid": testid, onclick: () => run(act) }, words);
    const { tools } = this;
    const people = table.seats.filter((seat) => seat.kind === "person").length;
    const mayDraw = table.phase === "playing" && table.seats.length === 2 && people === 2 && table.offer === null;
    return [
      ...(mayDraw ? [one(t("offerDraw"), "offer-draw", () => tools.draw("offer"))] : []),
      ...(table.phase === "playing" ? [one(t("resign"), "resign", tools.resign)] : []),
      one(t("leaveSeat"), "leave", tools.leave),
    ];
  }

  /** What waits for an answer of yours. */
  private noticed(table: TableView): HTMLElement[] {
    if (table.you === null || table.phase !== "playing") return [];
    const found: HTMLElement[] = [];
    const button = (words: string, testid: string, act: () => void): HTMLElement =>
      h("button", { type: "button", class: "quiet", "data-testid": testid, onclick: act }, words);
    if (table.offer !== null && table.offer !== table.you) {
      const yes = button(t("accept"), "accept-draw", () => this.tools.draw("accept"));
      const no = button(t("decline"), "decline-draw", () => this.tools.draw("decline"));
      found.push(h("p", { class: "notice" }, t("drawOffered"), " ", yes, no));
    } else if (table.offer === table.you) found.push(h("p", { class: "notice" }, t("drawWaits")));
    const you = table.seats[table.you];
    if (you?.stand_in && !you.resigned && you.away !== "left") {
      const back = button(t("imBack"), "back", this.tools.back);
      found.push(h("p", { class: "notice" }, t("botPlaysForYou", { bot: you.stand_in }), " ", back));
    }
    return found;
  }
}
