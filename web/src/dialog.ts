/** Windows over the page. Each has an entry in the history, so that Back closes it and does not leave the page. */

import { h } from "./dom";

const open: HTMLDialogElement[] = [];
let returning: Promise<void> = Promise.resolve(); // until the history has lost the entries of closed windows

/** How many windows the current entry of the history has. */
function depth(): number {
  const state: unknown = history.state;
  return typeof state === "object" && state !== null && "windows" in state ? Number(state.windows) : 0;
}

/** A window over the page. It closes with Esc, Back, its button, or a click beside it. */
export function showDialog(title: string, close: string, ...children: Node[]): HTMLDialogElement {
  const button = h(
    "button",
    { type: "button", class: "ghost", "aria-label": close, onclick: () => element.close() },
    "✕",
  );
  const head = h("header", {}, h("h2", { id: `dialog-${open.length}` }, title), button);
  const attributes = { class: "dialog", "aria-labelledby": `dialog-${open.length}`, "data-testid": "dialog" };
  const element = h("dialog", attributes, head, ...children);
  element.addEventListener("click", (event) => event.target === element && element.close());
  element.addEventListener("close", () => void closed(element));
  document.body.append(element);
  element.showModal();
  open.push(element);
  history.pushState({ windows: open.length }, "");
  return element;
}

/** Ask before something is done that cannot be taken back. */
export function confirmDialog(question: string, yes: string, cancel: string, act: () => void): void {
  const ok = h("button", { type: "button", class: "brass", "data-testid": "sure" }, yes);
  const element = showDialog(yes, cancel, h("p", {}, question), h("div", { class: "row" }, ok, cancelButton(cancel)));
  ok.addEventListener("click", () => {
    element.close();
    act();
  });
}

/** A button that closes the window it is in, and does nothing else. */
function cancelButton(words: string): HTMLElement {
  const close = (event: Event): void => (event.target as Element).closest("dialog")?.close();
  return h("button", { type: "button", class: "quiet", "data-testid": "dialog-cancel", onclick: close }, words);
}

/** Where messages are seen: in the window that lies on top, else on the page. */
export const topmost = (): HTMLElement => open.at(-1) ?? document.body;

/** The history went to another entry: close the windows that it does not have. */
export function closeToHistory(): void {
  while (open.length > depth()) open.pop()?.close();
}

/** Resolves once the entries of closed windows have gone from the history. */
export const settled = (): Promise<void> => returning;

function closed(element: HTMLDialogElement): void {
  element.remove();
  const place = open.indexOf(element);
  if (place < 0) return;
  open.splice(place, 1);
  if (depth() <= open.length) return;
  returning = new Promise((resolve) => window.addEventListener("popstate", () => resolve(), { once: true }));
  history.back();
}

/** Whether the current entry of the history is a window's: another page takes its place. */
export const isOverPage = (): boolean => depth() > 0;
