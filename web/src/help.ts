/** The keys there are: a window. */

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
  ["?", "keyHelp"],
];

/** The keys there are. */
export function showHelp(): void {
  const rows = KEYS.flatMap(([key, words]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, t(words))]);
  showDialog(
    t("keys"),
    t("close"),
    h("dl", { class: "keys" }, ...rows),
    h("p", { class: "faint" }, icon(ICONS.hint), t("helpMore")),
  );
}
