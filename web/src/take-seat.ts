/** Sitting down: once, whatever becomes of the answer. */

import * as api from "./api";
import { newNonce, newToken, sealOf } from "./fair";
import { holdSeat } from "./storage";

/** What was asked for and has not been answered: asked again, it is the same seat. */
const unanswered = new Map<string, { token: string; nonce: string }>();

/** The seat that somebody wants, or that it is left to the lot; nothing: the first that is free. */
export interface Where {
  seat?: number;
  lot?: boolean;
}

/** Sit down, and keep the seat. */
export async function takeSeat(table: string, name: string, where: Where, invite?: string): Promise<void> {
  const given = invite ? { invite } : {};
  const { token, nonce } = unanswered.get(table) ?? { token: newToken(), nonce: newNonce() };
  unanswered.set(table, { token, nonce });
  const sit = () => api.sit(table, { name, seal: sealOf(nonce), token, ...where, ...given });
  const { seat, table: view } = await sit().catch((error) => {
    if (error instanceof api.Refused && error.code === "offline") return sit();
    throw error;
  });
  unanswered.delete(table);
  holdSeat(table, { token, seat, nonce, game: view.game, title: view.title, at: Date.now(), ...given });
}
