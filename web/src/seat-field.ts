/** To choose a seat, or leave it to the lot. */

import { fill, h } from "./dom";
import { t } from "./language";
import type { TableView } from "./protocol";
import type { Where } from "./take-seat";

export const MANY = 12; // seats that fit a list; of more, a number is typed
export const LOT = "";

/** What a seat is called: a colour in most games. */
export const seatName = (names: readonly string[], seat: number): string =>
  names[seat] ?? t("seatNumber", { number: seat + 1 });

/** A list of seats, the lot first. */
export function seatList(seats: readonly number[], names: readonly string[]): HTMLSelectElement {
  const list = h("select", { name: "seat", "aria-label": t("yourSeat"), "data-testid": "seat-choice" });
  fill(list, ...options(seats, names));
  return list;
}

function options(seats: readonly number[], names: readonly string[]): HTMLElement[] {
  const lot = h("option", { value: LOT }, t("byLot"));
  return [lot, ...seats.map((seat) => h("option", { value: seat }, seatName(names, seat)))];
}

/** The same for a table whose number of seats is still to be chosen. */
export function seatChoice(names: readonly string[], most: number): { element: HTMLElement; offer(n: number): void } {
  if (most > MANY) {
    const place = { type: "number", name: "seat", min: 1, max: most, placeholder: t("byLot") };
    const element = h("input", { ...place, "data-testid": "seat-choice" });
    const offer = (count: number): void => {
      element.setAttribute("max", String(count));
      if (Number(element.value) > count) element.value = LOT;
    };
    return { element, offer };
  }
  const element = seatList([], names);
  const offer = (count: number): void => {
    const { value } = element;
    fill(element, ...options([...Array(count).keys()], names));
    element.value = Number(value) < count ? value : LOT;
  };
  offer(most);
  return { element, offer };
}

/** The seat that was chosen, as the server wants it. */
export function seatWish(value: FormDataEntryValue | null, isTyped: boolean): Where {
  if (value === null || value === LOT) return { lot: true };
  return { seat: Number(value) - (isTyped ? 1 : 0) };
}

/** The seats that can be chosen: whoever sits there and leaves it to the lot gives way. */
export function unclaimed({ seats }: TableView): number[] {
  const chosen = seats.filter(({ kind, lot }) => kind === "person" && !lot);
  const gone = new Set(chosen.map(({ seat, wants }) => wants ?? seat));
  const open = seats.filter(({ seat, kind }) => kind !== "bot" && kind !== "kept" && !gone.has(seat));
  return open.map(({ seat }) => seat);
}
