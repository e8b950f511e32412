/** To choose a clock: a usual one, or any other. */

import { clockText, LARGEST_INCREMENT, LONGEST, timeText, UNITS, type Unit, USUAL_CLOCKS } from "./clocks";
import { h } from "./dom";
import { field, selectList } from "./form";
import { t } from "./language";
import type { ClockSpec } from "./protocol";

const OTHER = "other";

interface ClockField {
  element: HTMLElement;
  read(): ClockSpec;
}

/** A list of clocks; its last entry opens fields for any other. */
export function clockField(): ClockField {
  const usual = USUAL_CLOCKS.map((clock, place): [string, string] => [String(place), clockText(clock)]);
  const list = selectList([...usual, [OTHER, t("otherClock")]], "0", { name: "clock" });
  const other = otherClock();
  list.addEventListener("change", () => {
    other.element.hidden = list.value !== OTHER;
    other.element.disabled = other.element.hidden; // what is not seen need not be right
  });
  const read = (): ClockSpec => USUAL_CLOCKS[Number(list.value)] ?? other.read();
  return { element: h("div", {}, field(t("clock"), list), other.element), read };
}

function otherClock(): ClockField & { element: HTMLFieldSetElement } {
  const kinds: [string, string][] = [
    ["bank", t("perMatch")],
    ["turn", t("perTurn")],
  ];
  const kind = selectList(kinds, "bank", { "aria-label": t("clock"), "data-testid": "clock-kind" });
  const amount = number("clock-amount", 10, t("clock"));
  const unit = selectList(unitNames(), "minute", { "aria-label": t("clock"), "data-testid": "clock-unit" });
  const more = number("clock-more", 5, t("moreATurn"));
  const extra = h("label", { class: "row" }, more, t("moreATurn"));
  const read = (): ClockSpec => ({
    kind: kind.value as ClockSpec["kind"],
    seconds: Number(amount.value) * UNITS[unit.value as Unit],
    increment: kind.value === "bank" ? Number(more.value) : 0,
  });
  const check = (): void => {
    extra.hidden = kind.value !== "bank";
    const { seconds = 0, increment = 0 } = read();
    const isRight = seconds >= 1 && seconds <= LONGEST;
    amount.setCustomValidity(isRight ? "" : t("clockLimits", { least: timeText(1), most: timeText(LONGEST) }));
    const isFew = increment >= 0 && increment <= LARGEST_INCREMENT;
    more.setCustomValidity(isFew ? "" : t("incrementLimits", { most: timeText(LARGEST_INCREMENT) }));
  };
  const row = h("div", { class: "row" }, kind, amount, unit);
  const attributes = { class: "other-clock", hidden: true, disabled: true, "data-testid": "other-clock" };
  const element = h("fieldset", attributes, h("legend", {}, t("otherClock")), row, extra);
  element.addEventListener("input", check);
  check();
  return { element, read };
}

function number(testid: string, value: number, label: string): HTMLInputElement {
  const attributes = { type: "number", step: "any", min: 0, value, required: true, "aria-label": label };
  return h("input", { ...attributes, "data-testid": testid });
}

function unitNames(): [Unit, string][] {
  return [
    ["second", t("seconds")],
    ["minute", t("minutes")],
    ["hour", t("hours")],
    ["day", t("days")],
  ];
}
