/** Sounds, loaded once the first is to be heard, so that the first page does not wait for them. */

import { settings } from "./storage";
import type { SoundName } from "./synthesizer";

export type { SoundName };

let loading: Promise<typeof import("./synthesizer")> | null = null;

/** Whether nothing is to be heard. */
export function isMuted(): boolean {
  const { muted, volume } = settings();
  return muted || volume === 0;
}

/** Play a sound, unless muted. One that cannot be made is left out. */
export function sound(name: SoundName): void {
  const { volume } = settings();
  if (isMuted()) return;
  loading ??= import("./synthesizer"); // one promise, so that sounds come in their order
  loading
    .then(({ play }) => play(name, volume / 100))
    .catch(() => {
      loading = null;
    });
}
