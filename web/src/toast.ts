/** Short messages that go away by themselves. */

import { topmost } from "./dialog";
import { h } from "./dom";

const SHOWN = 6000; // milliseconds
const MOST = 3;

const list = h("div", { class: "toasts", role: "status", "aria-live": "polite" });
const timers = new WeakMap<Element, number>();

/** Show a message. One that is there already is not shown twice. */
export function toast(text: string, kind: "plain" | "error" = "plain"): void {
  if (list.parentElement !== topmost()) topmost().append(list);
  const known = [...list.children].find((element) => element.textContent === text);
  const element = known ?? h("p", { class: `toast ${kind}`, "data-testid": "toast" }, text);
  list.append(element);
  while (list.childElementCount > MOST) list.firstElementChild?.remove();
  clearTimeout(timers.get(element));
  timers.set(
    element,
    window.setTimeout(() => element.remove(), SHOWN),
  );
}
