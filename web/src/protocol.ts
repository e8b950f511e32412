/** What goes over the wire. Made from the server's structs by `make protocol`: change those, not this. */

/** Play at this ply: one action by number or in notation, or several in a row, of which all or none are played. */
export interface Act {
  type: "act";
  ply: number;
  action?: number | null;
  text?: string | null;
  actions?: number[] | null;
  cid: string;
}

/** Take back your last choice; `ply` is how many have been played. */
export interface Undo {
  type: "undo";
  ply: number;
  cid: string;
}

export interface Resign {
  type: "resign";
  cid: string;
}

export interface Draw {
  type: "draw";
  answer?: "accept" | "decline" | "offer";
  cid: string;
}

export interface Chat {
  type: "chat";
  text: string;
  cid: string;
}

/** I am here again: no bot need play for me. */
export interface Back {
  type: "back";
  cid: string;
}

/** Give the seat up: before the match it is free again, during it a bot plays on. */
export interface Leave {
  type: "leave";
  cid: string;
}

/** Begin now; bots of this name take the seats that are free. */
export interface Start {
  type: "start";
  fill?: string | null;
  cid: string;
}

/** Let a bot take a free seat, or, with none named, free the seat that one has. */
export interface PutBot {
  type: "put_bot";
  seat: number;
  bot?: string | null;
  cid: string;
}

/** The same table once more, every seat kept for whoever has it now. */
export interface Rematch {
  type: "rematch";
  cid: string;
}

/** The best actions, as far as a second of thought can tell. */
export interface AskHint {
  type: "hint";
  cid: string;
}

/** The first message of a socket. Without a token you watch. */
export interface Hello {
  type: "hello";
  version?: number;
  token?: string | null;
  pictures?: boolean;
  state?: boolean;
  undoable?: boolean;
  language?: "de" | "en";
}

export interface Ping {
  type: "ping";
}

/** A new table. `bots` names a bot for each seat that one is to take, by seat. */
export interface OpenTable {
  game: string;
  seats?: number | null;
  options?: Record<string, number | boolean | string>;
  bots?: Record<string, string>;
  public?: boolean;
  hints?: boolean;
  clock?: ClockSpec;
  grace?: number | null;
}

/** `turn`: seconds for each turn. `bank`: seconds for the whole match, and an increment for each turn. */
export interface ClockSpec {
  kind: "bank" | "none" | "turn";
  seconds: number;
  increment: number;
}

/** Take a seat: that one, or any that is free. The nonce goes into the dice; see docs/fair-dice.md. */
export interface Sit {
  name: string;
  seat?: number | null;
  nonce?: string;
  invite?: string | null;
}

/** Why not: a code for programs, a sentence for people. */
export interface Problem {
  code: string;
  message: string;
}

export interface OptionView {
  name: string;
  default: number;
  help: string;
  takes: string;
  switch: boolean;
  choices: number[];
  low: number;
  high: number;
}

export interface GameView {
  name: string;
  title: string;
  summary: string;
  rules: number;
  seats: [number, number];
  usual_seats: number;
  options: OptionView[];
  bots: string[];
  usual_bot: string;
  seat_names: string[];
}

/** A seat; it may be kept for whoever held it before a rematch. `stand_in` plays while its person is away. */
export interface SeatView {
  seat: number;
  kind: "bot" | "free" | "kept" | "person";
  name: string;
  nonce: string;
  score: number;
  here: boolean;
  stand_in: string | null;
  away: string | null;
  resigned: boolean;
  left: number | null;
}

/** One event in words, and what moves in the picture. */
export interface Told {
  text: string;
  steps: Record<string, unknown>[];
}

/** How the match ended: `rules`, `resigned` or `agreed`. */
export interface Ending {
  reason: string;
  winners: number[];
  text: string;
}

export interface Position {
  ply: number;
  turn: number;
  to_move: number | null;
  scores: number[];
  picks: string[];
  scene: string | null;
  state: string | null;
}

export interface Choice {
  action: number;
  text: string;
  label?: string;
  picks?: string[];
  way?: string;
  undoable?: boolean;
}

/** A table in a list. */
export interface TableLine {
  id: string;
  game: string;
  title: string;
  phase: "open" | "over" | "playing";
  names: string[];
  seats: number;
  free: number;
  options: Record<string, number>;
  created: number;
  changed: number;
  ending: Ending | null;
}

export interface TableView {
  id: string;
  game: string;
  title: string;
  rules: number;
  options: Record<string, number>;
  phase: "open" | "over" | "playing";
  number: number;
  public: boolean;
  hints: boolean;
  clock: ClockSpec;
  grace: number;
  commitment: string;
  seats: SeatView[];
  story: string[];
  chat: Record<string, unknown>[];
  created: number;
  marks: Mark[];
  position: Position | null;
  backdrop: string | null;
  size: [number, number] | null;
  ending: Ending | null;
  offer: number | null;
  rematch: string | null;
  secret: string | null;
  you: number | null;
  may_undo: boolean;
  choices: Choice[];
}

/** What tells a seat from the others: a letter, in ink that can be read on its colour. */
export interface Mark {
  letter: string;
  colour: string;
  ink: string;
}

/** `invite` is needed to sit down at a table that is not public. */
export interface Opened {
  table: TableView;
  invite: string;
}

/** The token holds the seat. Keep it: it is not told again. */
export interface Seated {
  seat: number;
  token: string;
  table: TableView;
}

export interface LogLine {
  number: number;
  at: number;
  kind: string;
  seat: number;
  body: Record<string, unknown>;
}

export interface Log {
  number: number;
  phase: "open" | "over" | "playing";
  ply: number;
  to_move: number | null;
  entries: LogLine[];
}

/** It has happened, and will not be lost: entry `number`, after which `ply` actions have been played. */
export interface Ack {
  type: "ack";
  cid: string;
  number: number;
  ply: number;
}

export interface Reject {
  type: "reject";
  cid: string | null;
  code: string;
  message: string;
}

export interface Welcome {
  type: "welcome";
  version: number;
  table: TableView;
}

/** Entry `number` has happened. Whoever misses a number says hello again. */
export interface Update {
  type: "update";
  number: number;
  kind: string;
  seat: number;
  body: Record<string, unknown>;
  phase: "open" | "over" | "playing";
  seats: SeatView[];
  events: Told[];
  position: Position | null;
  ending: Ending | null;
  offer: number | null;
  secret: string | null;
}

/** What you can do now, at this ply. */
export interface Choices {
  type: "choices";
  ply: number;
  choices: Choice[];
  may_undo: boolean;
}

/** Who is here, and until when (seconds from now) a seat that is not has before a bot takes over. */
export interface Presence {
  type: "presence";
  here: number[];
  watching: number;
  grace: Record<string, number>;
}

export interface HintAnswer {
  type: "hint";
  cid: string;
  ply: number;
  best: Record<string, unknown>[];
}

export interface Pong {
  type: "pong";
}

/** Why the server closes the socket. */
export interface Bye {
  type: "bye";
  code: string;
  message: string;
}

export interface LobbyView {
  type: "lobby";
  tables: TableLine[];
}

/** The position after `ply` actions, and how it came about. */
export interface Frame {
  ply: number;
  seat: number | null;
  text: string;
  events: Told[];
  to_move: number;
  turn: number;
  scores: number[];
  picks: string[];
  scene: string;
}

export interface Frames {
  game: string;
  title: string;
  names: string[];
  marks: Mark[];
  plies: number;
  winners: number[];
  size: [number, number];
  backdrop: string;
  frames: Frame[];
}

export type TableCommand = Act | Undo | Resign | Draw | Chat | Back | Leave | Start | PutBot | Rematch;

export type SocketMessage =
  | Act
  | Undo
  | Resign
  | Draw
  | Chat
  | Back
  | Leave
  | Start
  | PutBot
  | Rematch
  | AskHint
  | Hello
  | Ping;
