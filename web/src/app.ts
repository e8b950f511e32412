/** What all pages share: where they go, how one leads to another, and short messages. */

import { h } from "./dom";

/** A page: what it shows, and how it ends. */
export interface Page {
  title: string;
  element: HTMLElement;
  leave?(): void;
  key?(event: KeyboardEvent): void;
  wide?: boolean;
}

export type Go = (path: string) => void;

let travel: Go = (path) => location.assign(path);

export function setTravel(go: Go): void {
  travel = go;
}

/** Go to another page. */
export function go(path: string): void {
  travel(path);
}

const messages = h("div", { class: "toasts", role: "status", "aria-live": "polite" });

/** A short message that goes away by itself. */
export function toast(text: string, kind: "plain" | "error" = "plain"): void {
  if (!messages.isConnected) document.body.append(messages);
  const element = h("p", { class: `toast ${kind}`, "data-testid": "toast" }, text);
  messages.append(element);
  while (messages.childElementCount > 3) messages.firstElementChild?.remove();
  window.setTimeout(() => element.remove(), 6000);
}

/** A window over the page. It closes with Esc, its button, or a click beside it. */
export function dialog(title: string, close: string, ...children: Node[]): HTMLDialogElement {
  const shut = h(
    "button",
    { type: "button", class: "ghost", "aria-label": close, onclick: () => element.close() },
    "✕",
  );
  const head = h("header", {}, h("h2", { id: "dialog-title" }, title), shut);
  const element = h(
    "dialog",
    { class: "dialog", "aria-labelledby": "dialog-title", "data-testid": "dialog" },
    head,
    ...children,
  );
  element.addEventListener("click", (event) => event.target === element && element.close());
  element.addEventListener("close", () => element.remove());
  document.body.append(element);
  element.showModal();
  return element;
}

/** Give a file to whoever asked for it. */
export function download(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  h("a", { href: address, download: name }).click();
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Copy a text; where the browser forbids that, it is selected in a window for the person to copy. */
export async function copy(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    const field = h("input", { value: text, readonly: true, class: "wide" });
    dialog(done, "✕", field);
    field.select();
  }
}
