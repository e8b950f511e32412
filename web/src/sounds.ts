/** Sounds, loaded once the first is to be heard, so that the first page does not wait for them. */

import { settings } from "./memory";

type Name = "move" | "dice" | "take" | "turn" | "win" | "error" | "chat";

export function sound(name: Name): void {
  if (settings().muted) return;
  void import("./sound").then(({ play }) => play(name));
}
