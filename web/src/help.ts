/** The keys there are, or what fingers can do: a window. */

import { showDialog } from "./dialog";
import { h, ICONS, icon } from "./dom";
import { t } from "./language";
import type { Key } from "./languages/en";

const KEYS: [string, Key][] = [
  ["Tab", "keyTab"],
  ["← ↑ → ↓", "keyArrows"],
  ["Enter", "keyEnter"],
  ["Space", "keySpace"],
  ["Esc", "keyEscape"],
  ["Shift ←↑→↓", "keyOrder"],
  ["a", "keyAll"],
  ["u", "keyUndo"],
  ["h", "keyHint"],
  ["f", "keyFlip"],
  ["+ − 0", "keyZoom"],
  ["v", "keyFull"],
  ["w", "keyAsk"],
  ["s", "keyHurry"],
  ["/", "keyNotation"],
  ["c", "keyChat"],
  ["1 – 6", "keyReact"],
  ["?", "keyHelp"],
];

const TOUCHES: [string, Key][] = [
  [ICONS.touch, "touchPick"],
  [ICONS.ask, "touchAsk"],
  [ICONS.closer, "touchZoom"],
  [ICONS.forward, "touchHurry"],
  [ICONS.undo, "touchUndo"],
  [ICONS.hint, "touchHint"],
];

export const hasNoKeys = (): boolean => matchMedia("(hover: none) and (pointer: coarse)").matches;

/** What can be done: by keys, or by fingers where there are no keys. */
export function showHelp(): void {
  if (hasNoKeys()) {
    const lines = TOUCHES.map(([path, words]) => h("li", {}, icon(path), h("span", {}, t(words))));
    showDialog(t("helpTouch"), t("close"), h("ul", { class: "touches" }, ...lines));
    return;
  }
  const rows = KEYS.flatMap(([key, words]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, t(words))]);
  showDialog(
    t("keys"),
    t("close"),
    h("dl", { class: "keys" }, ...rows),
    h("p", { class: "faint" }, icon(ICONS.hint), t("helpMore")),
  );
}
