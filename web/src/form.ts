/** Fields of forms: a control with its label. */

import { h } from "./dom";

export function field(label: string, control: HTMLElement): HTMLElement {
  return h("label", { class: "field" }, h("span", {}, label), control);
}

/** A box to tick, before its label. */
export function tickField(label: string, box: HTMLInputElement): HTMLElement {
  return h("label", { class: "field tick" }, box, h("span", {}, label));
}

/** A list to choose from; each entry is a value and its words. */
export function selectList(
  entries: readonly (readonly [string, string])[],
  now: string,
  attributes: Record<string, string>,
): HTMLSelectElement {
  const options = entries.map(([value, words]) => h("option", { value, selected: value === now }, words));
  return h("select", attributes, ...options);
}
