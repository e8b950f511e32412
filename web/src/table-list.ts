/** The list of tables in the lobby: those that wait for somebody first, then the newest. */

import type { LobbyChange, LobbyView, TableLine } from "./protocol";

/** The list after a message: a `lobby` has all of it, a `lobby_change` what is different. */
export function listAfter(before: readonly TableLine[], message: LobbyView | LobbyChange): TableLine[] {
  const gone = new Set(message.type === "lobby" ? before.map(({ id }) => id) : message.gone);
  for (const { id } of message.tables) gone.add(id);
  const tables = [...before.filter(({ id }) => !gone.has(id)), ...message.tables];
  return tables.sort((a, b) => Number(a.phase !== "open") - Number(b.phase !== "open") || b.created - a.created);
}
