/** The clocks that a table can have, and how they are called. */

import { language, t } from "./language";
import type { ClockSpec } from "./protocol";

export const NO_CLOCK: ClockSpec = { kind: "none", seconds: 0, increment: 0 };

/** What most people want; any other can be typed. */
export const USUAL_CLOCKS: readonly ClockSpec[] = [
  NO_CLOCK,
  { kind: "turn", seconds: 30, increment: 0 },
  { kind: "turn", seconds: 120, increment: 0 },
  { kind: "bank", seconds: 300, increment: 3 },
  { kind: "bank", seconds: 900, increment: 10 },
  { kind: "turn", seconds: 86400, increment: 0 },
];

export const UNITS = { second: 1, minute: 60, hour: 3600, day: 86400 } as const;
export type Unit = keyof typeof UNITS;

export const LONGEST = 30 * UNITS.day; // seconds on a clock
export const LARGEST_INCREMENT = UNITS.day;

/** So much time in words, from its largest unit down: 7 minutes 30 seconds. */
export function timeText(seconds: number): string {
  const told: string[] = [];
  let left = seconds;
  for (const unit of ["day", "hour", "minute", "second"] as const) {
    const count = unit === "second" ? left : Math.floor(left / UNITS[unit]);
    left -= count * UNITS[unit];
    if (count > 0)
      told.push(new Intl.NumberFormat(language(), { style: "unit", unit, unitDisplay: "long" }).format(count));
  }
  return told.join(" ");
}

/** A clock in words. */
export function clockText({ kind, seconds, increment }: ClockSpec): string {
  if (kind === "none") return t("noClock");
  const time = timeText(seconds ?? 0);
  if (kind === "turn") return t("clockTurn", { time });
  return increment ? t("clockBank", { time, more: timeText(increment) }) : t("clockMatch", { time });
}
