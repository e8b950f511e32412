/** This browser's part in the dice: a nonce that nobody knows before all have sat down. See docs/fair-dice.md. */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Drawn by chance, after the table has committed itself. */
export function newNonce(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(16)));
}

/** What is to hold a seat. Made here, so that a seat is not lost with an answer. */
export function newToken(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(24)));
}

/** What is shown of a nonce until it is revealed. (The browser's own hash works over HTTPS only.) */
export function sealOf(nonce: string): string {
  return bytesToHex(sha256(utf8ToBytes(`parlour:nonce:${nonce}`)));
}
