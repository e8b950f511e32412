/** What the protocol's structs do not say yet: the shape of what they hold as plain data. */

import type { Ack, Bye, Choices, HintAnswer, Pong, Presence, Reject, Update, Welcome } from "./protocol";

export type Step =
  | { do: "dice"; values: number[]; sides: number }
  | { do: "walk"; item: string; spots: string[] }
  | { do: "fly"; item: string; to: string }
  | { do: "flash"; spots: string[] };

export interface Hint {
  action: number;
  text: string;
  chance: number;
}

/** What the server says on the socket of a table. */
export type FromTable = Welcome | Update | Choices | Presence | HintAnswer | Ack | Reject | Pong | Bye;
