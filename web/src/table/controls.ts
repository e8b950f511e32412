/** The controls under the board: buttons for what has no place on it, menus, the pad for orders. */

import { h, once } from "../dom";
import type { Arrow } from "../geometry";
import { t } from "../language";
import { AMOUNTS, type Amount, portion } from "../orders";
import type { ChoiceView } from "../protocol";
import { capital } from "../text";

export type Send = (choice: ChoiceView) => Promise<void>;

const FEW = 6; // choices that fit a row of buttons
const SIGNS: Record<Arrow, string> = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" };

/** A choice in words, as a sentence begins. */
export function choiceText(choice: ChoiceView): string {
  return capital(choice.label || choice.text);
}

/** One button for each of these choices. What most would choose stands out; else the first, if they are `all`. Where
 * somebody can be asked for a plan, that comes first, and stands out as long as nothing else does. */
export function choiceButtons(
  choices: readonly ChoiceView[],
  all: boolean,
  send: Send,
  plan: Help | null = null,
): HTMLElement | null {
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
  const asking = plan && helpButton(plan, first ? "quiet" : "brass");
  return h("div", { class: `row choices${isMany ? " is-many" : ""}` }, asking, ...buttons);
}

/** What is asked of somebody who has picked: it names what will be done. */
export const question = (choice: ChoiceView): string =>
  choice.label ? `${choiceText(choice)}?` : t("askPlay", { text: choice.text });

/** Yes or no, below the question. On a phone there is no room for it: the button itself says what it would do. */
export const answer = (choice: ChoiceView, send: Send, cancel: () => void): HTMLElement =>
  confirmRow(
    choice,
    [h("span", { class: "yes" }, t("yes")), h("span", { class: "unseen" }, choiceText(choice))],
    send,
    cancel,
  );

/** The choice that the spots make that are switched on, to be confirmed; none, if they make none. */
export const confirmation = (choice: ChoiceView | null, send: Send, cancel: () => void): HTMLElement =>
  confirmRow(choice, [choice ? choiceText(choice) : t("noSuchSet")], send, cancel);

function confirmRow(choice: ChoiceView | null, words: (string | Node)[], send: Send, cancel: () => void): HTMLElement {
  const play = h(
    "button",
    {
      type: "button",
      class: "brass",
      "data-testid": "confirm",
      disabled: !choice,
      onclick: once(async () => choice && send(choice)),
    },
    ...words,
  );
  return h("div", { class: "row menu" }, play, cancelButton(cancel));
}

function cancelButton(cancel: () => void): HTMLElement {
  return h("button", { type: "button", class: "quiet", "data-testid": "cancel", onclick: cancel }, t("cancel"));
}

/** Several choices have the same picks: a few are buttons; many, and orders for one, two, three and so on, are a slider
 * from the first to the last. */
export function choiceMenu(choices: readonly ChoiceView[], send: Send, cancel: () => void): HTMLElement {
  if (choices.length <= FEW && !choices.every((choice) => choice.way)) {
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
  const isPressed = new Map<HTMLElement, number>();
  const show = (): void => {
    const choice = choices[range.valueAsNumber];
    if (!choice) return;
    const words = amountText(choice, range.valueAsNumber + 1, choices.length);
    play.textContent = words;
    range.setAttribute("aria-valuetext", words);
    for (const [button, place] of isPressed) button.setAttribute("aria-pressed", String(place === range.valueAsNumber));
  };
  const jump = (amount: Amount): HTMLElement => {
    const place = choices.indexOf(portion(choices, amount) as ChoiceView);
    const jumpThere = (): void => {
      range.value = String(place);
      show();
    };
    const attributes = { type: "button", class: "quiet", "data-testid": `jump-${amount}`, onclick: jumpThere };
    const button = h("button", attributes, t(amount));
    isPressed.set(button, place);
    return button;
  };
  const step = (sign: string, by: number): HTMLElement => {
    const words = t(by < 0 ? "oneLess" : "oneMore");
    const go = (): void => {
      range.valueAsNumber += by;
      show();
    };
    return h("button", { type: "button", class: "quiet", "aria-label": words, title: words, onclick: go }, sign);
  };
  range.value = String(choices.length - 1);
  range.setAttribute("aria-label", t("howMany"));
  range.addEventListener("input", show);
  const jumps = h("div", { class: "row jumps" }, ...AMOUNTS.map(jump));
  show();
  const submit = once(async () => {
    const choice = choices[range.valueAsNumber];
    if (choice) await send(choice);
  });
  const sliding = h("div", { class: "row sliding" }, step("−", -1), range, step("+", 1));
  return h("form", { class: "row menu amounts", onsubmit: submit }, jumps, sliding, play, cancelButton(cancel));
}

/** Where there are many choices, orders have no words of their own. */
function amountText(choice: ChoiceView, count: number, most: number): string {
  if (choice.label || !choice.way) return choiceText(choice);
  return t("sendCount", { way: capital(choice.way), count, most });
}

/** Something else that can be asked for, as a button. */
export interface Help {
  name: string;
  words: string;
  act(): Promise<void>;
}

const helpButton = ({ name, words, act }: Help, kind: "brass" | "quiet"): HTMLElement =>
  h("button", { type: "button", class: kind, "data-testid": name, onclick: once(act) }, words);

interface OrderPad {
  ways: Map<string, Arrow>;
  ready: boolean;
  amounts: readonly Amount[];
  amount: Amount;
  several: boolean;
  exist: boolean; // whether there is anything left to order
  give(way: string): void;
  change(amount: Amount): void;
  all(): void;
  toggle(): void;
  helps: Help[];
}

/** Orders for many squares: which; then, once some are selected, how much, and which way. */
export function orderPad({
  ready,
  amounts,
  amount,
  several,
  exist,
  change,
  all,
  toggle,
  helps,
  ...pad
}: OrderPad): HTMLElement {
  const press = (name: string, pressed: boolean, onclick: () => void, testid: string): HTMLElement =>
    h(
      "button",
      { type: "button", class: "quiet", "aria-pressed": String(pressed), "data-testid": testid, onclick },
      name,
    );
  const much = h(
    "div",
    { class: "row", role: "group", "aria-label": t("howMany") },
    ...amounts.map((one) => press(t(one), one === amount, () => change(one), `amount-${one}`)),
  );
  const which = [
    ...helps.map((help) => helpButton(help, "quiet")),
    exist && h("button", { type: "button", class: "quiet", "data-testid": "select-all", onclick: all }, t("allMine")),
    exist && press(t("several"), several, toggle, "several"),
  ];
  return h("div", { class: ready ? "pad" : "pad is-small" }, ...(ready ? [much, compass(pad)] : which));
}

/** An arrow for each way. */
function compass({ ways, give }: Pick<OrderPad, "ways" | "give">): HTMLElement {
  const arrows = [...ways].map(([way, arrow]) =>
    h(
      "button",
      {
        type: "button",
        class: `arrow ${arrow}`,
        "aria-label": way,
        title: `${way} (Shift ${SIGNS[arrow]})`,
        "data-testid": `way-${way}`,
        onclick: () => give(way),
      },
      SIGNS[arrow],
    ),
  );
  return h("div", { class: "compass" }, ...arrows);
}
