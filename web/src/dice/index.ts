/** Dice that tumble over the board. They never decide anything: they come to rest on the values they are given. */
import { withTimeout } from "../timeout";
import { rollFlat } from "./flat";
import { hastened, PACES, type Roll } from "./timing";

const MOST = 8; // solid dice at a time; more are rolled flat

export interface RollOptions {
  speed: "fast" | "normal";
  haste: number; // how many times as fast as usual
  flat: boolean;
  signal: AbortSignal; // ends the roll at once
}

/**
 * Rolls dice over the stage, an element laid over the board; they show the values, then fade. Solid dice where the
 * browser can draw them, else flat ones. Never rejects; takes at most 2.2 s (normal) or 0.9 s (fast), with no haste.
 */
export async function rollDice(
  stage: HTMLElement,
  values: number[],
  sides: number,
  { speed, haste, flat, signal }: RollOptions,
): Promise<void> {
  if (values.length === 0 || document.hidden || stage.clientWidth === 0 || stage.clientHeight === 0) return;
  const pace = hastened(PACES[speed], haste);
  const now = performance.now();
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), pace.whole);
  signal.addEventListener("abort", () => over.abort(), { once: true });
  await roll(
    { stage, values, sides, pace, end: now + pace.whole, readyBy: now + pace.ready, signal: over.signal },
    flat,
  );
  clearTimeout(timer);
}

async function roll(one: Roll, flat: boolean): Promise<void> {
  if (!flat && one.values.length <= MOST) {
    try {
      const { rollSolid } = await withTimeout(import("./solid"), one.pace.ready);
      if (!one.signal.aborted) await rollSolid(one);
      return;
    } catch {
      // No WebGL, a slow network or graphics card: flat dice need none of that.
    }
  }
  if (!one.signal.aborted) await rollFlat(one).catch(() => undefined); // the table goes on without dice
}
