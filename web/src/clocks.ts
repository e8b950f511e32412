/** The clocks that a table can have, and how they are called. */

import { t } from "./language";
import type { ClockSpec } from "./protocol";

export const NO_CLOCK: ClockSpec = { kind: "none", seconds: 0, increment: 0 };

export const CLOCKS: Record<string, ClockSpec> = {
  none: NO_CLOCK,
  turn30: { kind: "turn", seconds: 30, increment: 0 },
  turn120: { kind: "turn", seconds: 120, increment: 0 },
  bank300: { kind: "bank", seconds: 300, increment: 3 },
  bank900: { kind: "bank", seconds: 900, increment: 10 },
  day: { kind: "turn", seconds: 86400, increment: 0 },
};

/** A clock in words. */
export function clockText({ kind, seconds, increment }: ClockSpec): string {
  const isSame = (one: ClockSpec): boolean =>
    one.kind === kind && (kind === "none" || (one.seconds === seconds && one.increment === increment));
  const known = Object.entries(CLOCKS).find(([, clock]) => isSame(clock))?.[0];
  if (known) return t(`clock_${known}` as "clock_none");
  return t(kind === "turn" ? "clockTurn" : "clockBank", { seconds, increment });
}
