/** What the server says: the same as in src/parlour/server/messages.py, and frames.py for replays. */

export type Phase = "open" | "playing" | "over";

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
  seats: [number, number];
  usual_seats: number;
  options: OptionView[];
  bots: string[];
  usual_bot: string;
  seat_names: string[];
}

export interface SeatView {
  seat: number;
  kind: "free" | "kept" | "person" | "bot";
  name: string;
  score: number;
  here: boolean;
  stand_in: string | null;
  away: string | null;
  resigned: boolean;
  left: number | null;
}

export type Step =
  | { do: "dice"; values: number[]; sides: number }
  | { do: "walk"; item: string; spots: string[] }
  | { do: "fly"; item: string; to: string }
  | { do: "flash"; spots: string[] };

export interface Told {
  text: string;
  steps: Step[];
}

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
}

/** What tells a seat from the others: a letter, in ink that can be read on its colour. */
export interface Mark {
  letter: string;
  colour: string;
  ink: string;
}

export interface Choice {
  action: number;
  text: string;
  label?: string;
  picks?: string[];
  way?: string;
  undoable?: boolean; // told to who asks for it
}

export interface Clock {
  kind: "none" | "turn" | "bank";
  seconds: number;
  increment: number;
}

export interface TableLine {
  id: string;
  game: string;
  title: string;
  phase: Phase;
  names: string[];
  seats: number;
  free: number;
  changed: number;
  ending: Ending | null;
}

export interface ChatLine {
  seat: number;
  name: string;
  text: string;
  at: number;
}

export interface TableView {
  id: string;
  game: string;
  title: string;
  options: Record<string, number>;
  phase: Phase;
  number: number;
  public: boolean;
  hints: boolean;
  clock: Clock;
  commitment: string;
  seats: SeatView[];
  marks: Mark[];
  story: string[];
  chat: ChatLine[];
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

export interface Update {
  type: "update";
  number: number;
  kind: string;
  seat: number;
  body: Record<string, unknown>;
  phase: Phase;
  seats: SeatView[];
  events: Told[];
  position: Position | null;
  ending: Ending | null;
  offer: number | null;
  secret: string | null;
}

export interface Choices {
  type: "choices";
  ply: number;
  choices: Choice[];
  may_undo: boolean;
}

export interface Presence {
  type: "presence";
  here: number[];
  watching: number;
  grace: Record<string, number>;
}

export interface Hint {
  action: number;
  text: string;
  chance: number;
}

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

export type FromTable =
  | { type: "welcome"; version: number; table: TableView }
  | Update
  | Choices
  | Presence
  | { type: "hint"; cid: string; ply: number; best: Hint[] }
  | Ack
  | Reject
  | { type: "pong" }
  | { type: "bye"; code: string; message: string };

export interface Seated {
  seat: number;
  token: string;
  table: TableView;
}

export interface Opened {
  table: TableView;
  invite: string;
}

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
