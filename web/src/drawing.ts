/** Boards outside of tables: on the wall of the lobby, in rulebooks. Part of the page, so their letters are its own. */

import * as api from "./api";
import { h } from "./dom";

/** The picture at an address, with what it shows in words; without, it is only there to be seen. */
export function drawing(src: string, shows = ""): HTMLElement {
  const words = shows ? { role: "img", "aria-label": shows } : { "aria-hidden": "true" };
  const element = h("span", { class: "drawing", ...words });
  const inside = element.attachShadow({ mode: "open" }); // so that ids of one picture never meet those of another
  void draw(element, inside, src).catch(() => undefined); // the page does not depend on it
  return element;
}

async function draw(element: HTMLElement, inside: ShadowRoot, src: string): Promise<void> {
  inside.innerHTML = await api.svg(src);
  const picture = inside.querySelector("svg");
  const { width = 1, height = 1 } = picture?.viewBox.baseVal ?? {};
  element.style.setProperty("--shape", String(width / height));
  picture?.setAttribute("part", "picture"); // by which the page's style reaches it
  picture?.setAttribute("aria-hidden", "true"); // what it shows is said by what is around it
}
