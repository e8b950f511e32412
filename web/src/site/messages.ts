/** What a page and its engine tell each other. */

/** Of the page. A visit is a connection to a table; its number is the page's. */
export type ToEngine =
  | { kind: "begin"; folder: string }
  | { kind: "ask"; id: number; method: string; address: string; body: string; token: string }
  | { kind: "enter"; id: number; table: string }
  | { kind: "say"; id: number; text: string }
  | { kind: "leave"; id: number };

/** Of the engine. `trouble` says why it cannot begin. */
export type FromEngine =
  | { kind: "ready" }
  | { kind: "trouble"; message: string }
  | { kind: "answer"; id: number; answer: string }
  | { kind: "told"; id: number; text: string }
  | { kind: "closed"; id: number };
