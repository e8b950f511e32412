/** The picture as a table's socket tells it: whole at first, then what has changed. */

import type { Position, TableMessage } from "./protocol";

type Patch = NonNullable<Position["patch"]>;

/** The new parts. A patch goes along the old ones: so many stay, so many (below zero) go, and a text is a new one. */
export function patched(old: readonly string[], patch: Patch): string[] {
  const parts: string[] = [];
  let reached = 0;
  for (const step of patch) {
    if (typeof step === "string") {
      parts.push(step);
      continue;
    }
    if (step > 0) parts.push(...old.slice(reached, reached + step));
    reached += Math.abs(step);
  }
  return [...parts, ...old.slice(reached)];
}

/** Keeps the parts of the picture that one socket has told, and puts whole scenes into its messages. */
export class Scenes {
  private parts: string[] = [];

  whole(message: TableMessage): TableMessage {
    if (message.type === "welcome") {
      this.parts = [];
      const { table } = message;
      return { ...message, table: { ...table, position: this.drawn(table.position) } };
    }
    return message.type === "update" ? { ...message, position: this.drawn(message.position) } : message;
  }

  private drawn(position: Position | null): Position | null {
    if (!position?.patch) return position;
    this.parts = patched(this.parts, position.patch);
    return { ...position, scene: this.parts.join(""), patch: null };
  }
}
