/** Elements, made in one line each. Text is always text: nothing here reads markup. */

import { at } from "./root";

type Child = Node | string | null | undefined | false;
type Listener = (event: never) => void;
export type Attributes = Record<string, string | number | boolean | null | undefined | Listener>;

const SVG = "http://www.w3.org/2000/svg";

/** An element: `h("button", { class: "brass", onclick: play }, "Play")`. Functions become listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...children.filter(isShown));
  return element;
}

/** The same for SVG. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  set(element, attributes);
  element.append(...children.filter(isShown));
  return element;
}

function isShown(child: Child): child is Node | string {
  return child !== null && child !== undefined && child !== false && child !== "";
}

function set(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, placed(name, value));
  }
}

/** Links and pictures are where the pages are. */
function placed(name: string, value: string | number | boolean): string {
  const isPath = (name === "href" || name === "src") && typeof value === "string" && value.startsWith("/");
  return isPath ? at(value) : String(value);
}

/** Replace what an element holds. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter(isShown));
}

/** A drawn sign of 24 by 24. */
export function icon(path: string): SVGSVGElement {
  return s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, s("path", { d: path }));
}

export const ICONS = {
  back: "M15 5l-7 7 7 7",
  forward: "M9 5l7 7-7 7",
  first: "M18 5l-7 7 7 7M6 5v14",
  last: "M6 5l7 7-7 7M18 5v14",
  touch: "M9 12V5a1.7 1.7 0 013.4 0v6l5 1.2a2 2 0 011.5 2.3L18 20H10.5L6 14.8a1.6 1.6 0 012.4-2zM5.5 7a4.7 4.7 0 015-4",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 016 6v1a4 4 0 01-4 4h-4",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 00-4 10.5c.8.7 1 1.5 1 2.5h6c0-1 .2-1.8 1-2.5A6 6 0 0012 3z",
  flip: "M7 4v14m0 0l-3-3m3 3l3-3M17 20V6m0 0l-3 3m3-3l3 3",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  settings: "M4 7h10M18 7h2M16 5v4M4 17h2M10 17h10M8 15v4",
  help: "M9 9a3 3 0 116 0c0 2-3 2.5-3 5M12 18h.01",
  ask: "M10.5 4a6.5 6.5 0 100 13 6.5 6.5 0 000-13zM15.5 15.5L21 21M9 8.5a1.7 1.7 0 113.2.8c-.4.7-1.7 1-1.7 2.2M10.5 14h.01",
  share: "M12 15V4m0 0L8 8m4-4l4 4M5 13v6h14v-6",
  sound: "M4 10v4h4l5 4V6L8 10zM17 9a4 4 0 010 6",
  mute: "M4 10v4h4l5 4V6L8 10zM17 10l4 4m0-4l-4 4",
  closer: "M5 12h14M12 5v14",
  farther: "M5 12h14",
  full: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  chat: "M4 5h16v11H10l-4 4v-4H4z",
  bell: "M6 16h12l-1.5-2v-4a4.5 4.5 0 00-9 0v4zM10.5 19a1.5 1.5 0 003 0",
  bellOff: "M6 16h12l-1.5-2v-4a4.5 4.5 0 00-9 0v4zM10.5 19a1.5 1.5 0 003 0M4 3l16 18",
  smile: "M12 3a9 9 0 100 18 9 9 0 000-18zM8 14a4.8 4.8 0 008 0M9 9.5h.01M15 9.5h.01",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7zM12 9a3 3 0 100 6 3 3 0 000-6z",
} as const;

/** What a game is like, as small signs. */
export const SIGNS = {
  seats:
    "M9 11a3.5 3.5 0 100-7 3.5 3.5 0 000 7zM2.5 20c0-4 3-6 6.5-6s6.5 2 6.5 6M16 4.5a3.5 3.5 0 010 6.5M18 14.5c2.2.8 3.5 2.7 3.5 5.5",
  minutes: "M12 3a9 9 0 100 18 9 9 0 000-18zM12 7v5l3.5 2",
  difficulty: "M12 5L2 9.5 12 14l10-4.5zM6 12v5c3 2.5 9 2.5 12 0v-5",
  luck: "M6 4h12a2 2 0 012 2v12a2 2 0 01-2 2H6a2 2 0 01-2-2V6a2 2 0 012-2zM8.5 8.5h.01M12 12h.01M15.5 15.5h.01",
  both: "M4 10h8a2 2 0 012 2v6a2 2 0 01-2 2H6a2 2 0 01-2-2zM7.5 13.5h.01M10.5 16.5h.01M17 3l1.2 2.6 2.8.4-2 2 .5 2.8-2.5-1.3",
  skill: "M12 4a3 3 0 110 6 3 3 0 010-6zM10.5 10c0 4-1.5 6-3 8h9c-1.5-2-3-4-3-8M6 21h12",
} as const;

/** A small sign with what it stands for; where what is shown is short, `words` say it to whoever listens. */
export function sign(path: string, shown: string, words = shown): HTMLLIElement {
  if (words === shown) return h("li", {}, icon(path), shown);
  return h(
    "li",
    { title: words },
    icon(path),
    h("span", { "aria-hidden": "true" }, shown),
    h("span", { class: "unseen" }, words),
  );
}

/** A button that shows only a sign, and says what it is. */
export function iconButton(path: string, name: string, attributes: Attributes = {}): HTMLButtonElement {
  return h("button", { type: "button", class: "ghost", "aria-label": name, title: name, ...attributes }, icon(path));
}

/**
 * A listener for what sends something to the server: it sends once, however often and fast it is clicked. A second
 * click of a double click counts as none, nor does any before the first is answered.
 */
export function once(send: (event: Event) => Promise<unknown>): (event: Event) => Promise<void> {
  let busy = false;
  return async (event) => {
    event.preventDefault();
    if (busy || (event instanceof MouseEvent && event.detail > 1)) return;
    const element = event.currentTarget instanceof Element ? event.currentTarget : null;
    busy = true;
    element?.setAttribute("aria-busy", "true");
    try {
      await send(event);
    } finally {
      busy = false;
      element?.removeAttribute("aria-busy");
    }
  };
}

/** Whether fingers may play: then what can be taken back need not be confirmed. */
export const touches = (): boolean => navigator.maxTouchPoints > 0;
