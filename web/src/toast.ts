/** Short messages that go away by themselves. One is shown at a time; others wait for it. */

import { topmost } from "./dialog";
import { h } from "./dom";

const SHOWN = 6000; // milliseconds
const SHOWN_AT_LEAST = 2500; // milliseconds, while others wait
const MOST = 3; // that wait

type Kind = "plain" | "error";

const list = h("div", { class: "toasts", role: "status", "aria-live": "polite" });
const waiting: { text: string; kind: Kind }[] = [];
let since = 0; // when the one that is shown came
let timer = 0;

/** Show a message. One that is there already is not shown twice. */
export function toast(text: string, kind: Kind = "plain"): void {
  if (list.textContent === text) since = performance.now();
  else if (!waiting.some((one) => one.text === text)) waiting.push({ text, kind });
  if (waiting.length > MOST) waiting.shift();
  goOn();
}

/** Show the next one, as soon as the last was there long enough. */
function goOn(): void {
  clearTimeout(timer);
  const left = since + (waiting.length > 0 ? SHOWN_AT_LEAST : SHOWN) - performance.now();
  const isSeen = list.hasChildNodes() && list.parentElement === topmost();
  if (isSeen && left > 0) {
    timer = window.setTimeout(goOn, left);
    return;
  }
  const next = waiting.shift();
  list.replaceChildren();
  if (!next) return;
  if (list.parentElement !== topmost()) topmost().append(list);
  list.append(h("p", { class: `toast ${next.kind}`, "data-testid": "toast" }, next.text));
  since = performance.now();
  goOn();
}
