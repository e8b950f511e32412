/** The controls under the board: buttons for what has no place on it, menus, the pad for orders. */

import { h, once } from "../dom";
import type { Arrow } from "../geometry";
import { t } from "../language";
import { type Amount, portion } from "../orders";
import type { ChoiceView } from "../protocol";
import { capital } from "../text";

export type Send = (choice: ChoiceView) => Promise<void>;

const FEW = 6; // choices that fit a row of buttons
const SIGNS: Record<Arrow, string> = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" };

/** A choice in words, as a sentence begins. */
export function choiceText(choice: ChoiceView): string {
  return capital(choice.label || choice.text);
}

/** One button for each of these choices. What most would choose stands out; else the first, if they are `all`. */
export function choiceButtons(choices: readonly ChoiceView[], all: boolean, send: Send): HTMLElement | null {
  if (choices.length === 0) return null;
  const usual = choices.find((choice) => choice.usual);
  const isPlain = choices.length <= FEW && !choices.some((choice) => choice.listed && choice.picks?.length);
  const first = usual ?? (isPlain && all ? choices[0] : undefined);
  const buttons = choices.map((choice) =>
    h(
      "button",
      {
        type: "button",
        class: choice === first ? "brass" : "quiet",
        "data-testid": "choice",
        "data-action": choice.action,
        onclick: once(() => send(choice)),
      },
      choiceText(choice),
    ),
  );
  const isMany = choices.length > (isPlain ? FEW : FEW / 2);
  return h("div", { class: `row choices${isMany ? " is-many" : ""}` }, ...buttons);
}

/** The choice that was made, to be confirmed; none yet, if the spots switched on make none. */
export function confirmation(choice: ChoiceView | null, send: Send, cancel: () => void): HTMLElement {
  const play = h(
    "button",
    {
      type: "button",
      class: "brass",
      "data-testid": "confirm",
      disabled: !choice,
      onclick: once(async () => choice && send(choice)),
    },
    choice ? choiceText(choice) : t("noSuchSet"),
  );
  return h("div", { class: "row menu" }, play, cancelButton(cancel));
}

function cancelButton(cancel: () => void): HTMLElement {
  return h("button", { type: "button", class: "quiet", "data-testid": "cancel", onclick: cancel }, t("cancel"));
}

/** Several choices have the same picks: a few are buttons, many are a slider from the first to the last. */
export function choiceMenu(choices: readonly ChoiceView[], send: Send, cancel: () => void): HTMLElement {
  if (choices.length <= FEW) {
    const row = choiceButtons(choices, true, send);
    row?.classList.add("menu");
    row?.append(cancelButton(cancel));
    return row ?? h("div");
  }
  return slider(choices, send, cancel);
}

function slider(choices: readonly ChoiceView[], send: Send, cancel: () => void): HTMLElement {
  const range = h("input", { type: "range", min: 0, max: choices.length - 1, "data-testid": "amount" });
  const play = h("button", { type: "submit", class: "brass", "data-testid": "confirm" });
  const show = (): void => {
    const choice = choices[range.valueAsNumber];
    if (!choice) return;
    play.textContent = choiceText(choice);
    range.setAttribute("aria-valuetext", choiceText(choice));
  };
  const jump = (amount: Amount): HTMLElement => {
    const place = choices.indexOf(portion(choices, amount) as ChoiceView);
    const jumpThere = (): void => {
      range.value = String(place);
      show();
    };
    return h("button", { type: "button", class: "quiet", onclick: jumpThere }, t(amount));
  };
  range.value = String(choices.length - 1);
  range.setAttribute("aria-label", t("howMany"));
  range.addEventListener("input", show);
  show();
  const submit = once(async () => {
    const choice = choices[range.valueAsNumber];
    if (choice) await send(choice);
  });
  return h(
    "form",
    { class: "row menu", onsubmit: submit },
    jump("one"),
    range,
    jump("half"),
    jump("all"),
    play,
    cancelButton(cancel),
  );
}

interface OrderPad {
  ways: Map<string, Arrow>;
  ready: boolean;
  amounts: readonly Amount[];
  amount: Amount;
  several: boolean;
  give(way: string): void;
  change(amount: Amount): void;
  all(): void;
  toggle(): void;
}

/** Orders for many squares: which, how much, and which way. */
export function orderPad({ ways, ready, amounts, amount, several, give, change, all, toggle }: OrderPad): HTMLElement {
  const press = (name: string, pressed: boolean, onclick: () => void, testid: string): HTMLElement =>
    h(
      "button",
      { type: "button", class: "quiet", "aria-pressed": String(pressed), "data-testid": testid, onclick },
      name,
    );
  const which = h(
    "div",
    { class: "row" },
    h("button", { type: "button", class: "quiet", "data-testid": "select-all", onclick: all }, t("allMine")),
    press(t("several"), several, toggle, "several"),
  );
  const much = h(
    "div",
    { class: "row", role: "group", "aria-label": t("howMany") },
    ...amounts.map((one) => press(t(one), one === amount, () => change(one), `amount-${one}`)),
  );
  const arrows = [...ways].map(([way, arrow]) =>
    h(
      "button",
      {
        type: "button",
        class: `arrow ${arrow}`,
        disabled: !ready,
        "aria-label": way,
        title: `${way} (Shift ${SIGNS[arrow]})`,
        "data-testid": `way-${way}`,
        onclick: () => give(way),
      },
      SIGNS[arrow],
    ),
  );
  return h(
    "div",
    { class: "pad" },
    h("div", { class: "pad-options" }, which, much),
    h("div", { class: "compass" }, ...arrows),
  );
}
