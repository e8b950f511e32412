/** What whoever runs the server has to say to everybody: it stands above every page until it is over. */

import { h } from "./dom";

const element = h("p", { class: "banner notice", role: "status", hidden: true, "data-testid": "notice" });

/** Show it; nothing is said any more with an empty text. */
export function showNotice(text: string): void {
  if (!element.isConnected) document.body.prepend(element);
  element.textContent = text;
  element.hidden = text === "";
}
