/** How long rolls take, and what happens in that time. */

/** Milliseconds that a roll takes: at most `whole`, of which the dice lie still for `rest` and vanish during `fade`. */
interface Pace {
  whole: number;
  rest: number;
  fade: number;
  shake: number; // how long flat dice shake
  ready: number; // how long solid dice may take to get ready; then flat ones are rolled
}

export const PACES: Readonly<Record<"fast" | "normal", Pace>> = {
  normal: { whole: 2100, rest: 520, fade: 200, shake: 480, ready: 600 },
  fast: { whole: 850, rest: 220, fade: 110, shake: 200, ready: 200 },
};

/** The same, so many times as fast. */
export function hastened({ whole, rest, fade, shake, ready }: Pace, haste: number): Pace {
  return { whole: whole / haste, rest: rest / haste, fade: fade / haste, shake: shake / haste, ready };
}

/** One roll: what is to be shown and where. It is over, at the latest, when the signal aborts. */
export interface Roll {
  stage: HTMLElement;
  values: readonly number[];
  sides: number;
  pace: Pace;
  end: number; // on the clock of performance.now(), and so is
  readyBy: number; // when solid dice must be ready
  signal: AbortSignal;
}

/** Resolves after some milliseconds, or as soon as the signal aborts. */
export function pause(time: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, signal.aborted ? 0 : time);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Resolves before the browser draws next. */
export function nextFrame(): Promise<unknown> {
  return new Promise(requestAnimationFrame);
}

/** Calls `draw` on every frame of some milliseconds with a part that grows to 1. Ends early when the signal aborts. */
export function animate(time: number, signal: AbortSignal, draw: (part: number) => void): Promise<void> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    const frame = (): void => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const part = Math.min(1, (performance.now() - start) / time);
      try {
        draw(part);
      } catch (error) {
        reject(error);
        return;
      }
      if (part < 1) requestAnimationFrame(frame);
      else resolve();
    };
    frame();
  });
}

/** Lays an element over the whole stage until the signal aborts. It catches no clicks and no screen reader reads it. */
export function cover({ stage, signal }: Roll, element: HTMLElement): void {
  const whole = { position: "absolute", inset: "0", width: "100%", height: "100%" };
  Object.assign(element.style, whole, { pointerEvents: "none" });
  element.setAttribute("aria-hidden", "true");
  if (signal.aborted) return;
  stage.append(element);
  signal.addEventListener("abort", () => element.remove(), { once: true });
}

/** Lets an element vanish, then removes it. */
export async function fade(element: HTMLElement, time: number, signal: AbortSignal): Promise<void> {
  element.animate([{ opacity: 1 }, { opacity: 0 }], { duration: time, easing: "ease-in", fill: "forwards" });
  await pause(time, signal);
  element.remove();
}
