/** Sounds, loaded once the first is to be heard, so that the first page does not wait for them. */

import { settings } from "./storage";
import type { SoundName } from "./synthesizer";

export type { SoundName };

/** Play a sound, unless muted. One that cannot be made is left out. */
export function sound(name: SoundName): void {
  const { muted, volume } = settings();
  if (muted || volume === 0) return;
  import("./synthesizer").then(({ play }) => play(name, volume / 100)).catch(() => undefined);
}
