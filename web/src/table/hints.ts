/** A hint, in one line: the best action as a button that plays it, and how good the next best is. They come over the
 * page, if asked for. */

import { h, ICONS, icon, once } from "../dom";
import { t } from "../language";
import type { ChoiceView, HintLine } from "../protocol";
import { choiceText, type Send } from "./controls";

const OTHERS = "other-hints";
const CLOSE = 2; // percent: two actions this near to each other are about as good
const GAP = 4; // pixels between the line and what comes over it

/** `text` says, to those who listen, whose advice it is. */
export function hintStrip(
  hints: readonly HintLine[],
  text: string,
  choices: readonly ChoiceView[],
  send: Send,
): HTMLElement {
  const buttons = hints.flatMap((hint) => {
    const choice = choices.find(({ action }) => action === hint.action);
    return choice ? [hintButton(choice, chanceText(hint), send)] : [];
  });
  const [best, ...others] = buttons;
  const words = h("span", { class: "unseen", role: "status", "data-testid": "hint-text" });
  words.textContent = `${text || t("hintSays")} ${best?.textContent ?? ""}`;
  const strip = h("div", { class: "hints", "data-testid": "hints" }, words, icon(ICONS.hint), best);
  if (others.length > 0) strip.append(othersButton(hints[0], hints[1]), othersList(others, strip));
  return strip;
}

/** How good it is; nothing, where whoever gave the hint has tried nothing. */
function chanceText(hint: HintLine): string {
  return hint.tries > 0 ? t("winChance", { percent: percentOf(hint) }) : "";
}

const percentOf = ({ chance }: HintLine): number => Math.round(chance * 100);

function hintButton(choice: ChoiceView, chance: string, send: Send): HTMLElement {
  const text = choiceText(choice);
  const words = [h("span", { class: "words" }, text), " ", chance && h("small", {}, chance)];
  return h("button", { type: "button", class: "quiet", title: text, onclick: once(() => send(choice)) }, ...words);
}

function othersButton(best: HintLine | undefined, next: HintLine | undefined): HTMLElement {
  const words = t("otherHints");
  const isClose = next && best && percentOf(best) - percentOf(next) < CLOSE;
  const told = (): string => (isClose ? t("othersAsGood") : t("nextBest", { percent: next ? percentOf(next) : 0 }));
  const text = next && next.tries > 0 ? told() : "…";
  const attributes = { type: "button", class: "quiet", popovertarget: OTHERS, "aria-label": words, title: words };
  return h("button", { ...attributes, "data-testid": "other-hints" }, text);
}

/** The next best, over whatever stands above the line. */
function othersList(buttons: readonly HTMLElement[], strip: HTMLElement): HTMLElement {
  const list = h("div", { id: OTHERS, class: "other-hints", popover: "auto" }, ...buttons);
  list.addEventListener("beforetoggle", () => {
    const { right, top } = strip.getBoundingClientRect();
    list.style.inset = `auto ${innerWidth - right}px ${innerHeight - top + GAP}px auto`;
  });
  return list;
}
