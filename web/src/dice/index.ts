/** Dice that tumble over the board. They never decide anything: they come to rest on the values they are given. */
import { shakeDice } from "./flat";
import { PACES, soon } from "./roll";

const MOST = 8; // solid dice at a time; more are rolled flat

export interface RollOptions {
  speed: "fast" | "normal";
  flat: boolean;
}

/**
 * Rolls dice over the stage, an element laid over the board; they show the values, then fade. Solid dice where the
 * browser can draw them, else flat ones. Never rejects; takes at most 2.2 s (normal) or 0.9 s (fast).
 */
export async function rollDice(
  stage: HTMLElement,
  values: number[],
  sides: number,
  { speed, flat }: RollOptions,
): Promise<void> {
  if (values.length === 0 || document.hidden || stage.clientWidth === 0 || stage.clientHeight === 0) return;
  const pace = PACES[speed];
  const now = performance.now();
  const [end, patience, signal] = [now + pace.whole, now + pace.patience, AbortSignal.timeout(pace.whole)];
  const roll = { stage, values, sides, pace, end, patience, signal };
  if (!flat && values.length <= MOST) {
    try {
      const { tumbleDice } = await soon(import("./tumble"), pace.patience);
      return await tumbleDice(roll);
    } catch {
      // No WebGL, a slow network or graphics card: flat dice need none of that.
    }
  }
  await shakeDice(roll).catch(() => undefined); // dice are an ornament: the table goes on without them
}
