/** What goes over the wire. Made from the server's structs by `make protocol`: change those, not this. */

/** `turn`: seconds for each turn. `bank`: seconds for the whole match, and an increment for each turn. */
export interface ClockSpec {
  kind: "bank" | "none" | "turn";
  seconds: number;
  increment: number;
}

/** Dice are rolled and show these values. Where the picture itself shows them then, they need not stay beside it. */
export interface Dice {
  do: "dice";
  values: number[];
  sides: number;
  stay: boolean;
}

/** An item goes from where it is over these spots to the last of them. */
export interface Walk {
  do: "walk";
  item: string;
  spots: string[];
}

/** An item flies straight to a spot, or to a seat's place beside the board: `seat-0`. */
export interface Fly {
  do: "fly";
  item: string;
  to: string;
}

/** Something happened on these spots. */
export interface Flash {
  do: "flash";
  spots: string[];
}

/** Words for a person who asks; `clause` is where the rulebook says it, or 0. */
export interface Explanation {
  text: string;
  clause: number;
}

/** How long a match takes, in minutes from and to; how hard the game is to learn; what decides it. */
export interface Glance {
  minutes: [number, number];
  difficulty: "easy" | "hard" | "medium";
  luck: "both" | "luck" | "skill";
}

/** An option of a game, and the values it takes; `suggested` is what the page's form begins with. */
export interface OptionView {
  name: string;
  default: number;
  help: string;
  takes: string;
  switch: boolean;
  choices: number[];
  low: number;
  high: number;
  suggested: number;
}

/** A bot as people choose one, the easiest first; `name` is its exact name. */
export interface FaceView {
  name: string;
  title: string;
  character: string;
  thinks: string;
}

/** A game that can be played here: in the answer to `GET /api/games`. */
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
  faces: FaceView[];
  lesson: boolean;
  goal: string;
  glance: Glance | null;
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
  seal: string;
  lot: boolean;
  wants: number | null;
  out: boolean;
  gone: boolean;
}

/** One event in words, and what moves in the picture. */
export interface EventView {
  text: string;
  steps: (Dice | Walk | Fly | Flash)[];
  loud: boolean;
  quiet: boolean;
}

/** How the game tells an end in one language, and who has won without a seat. */
export interface EndingWords {
  text: string;
  rivals: Rival[];
}

/** Winners that have no seat, such as zombies: in words (`2 zombies`), how many, and the score of each. */
export interface Rival {
  words: string;
  count: number;
  score: number;
}

/** How the match ended: `rules`, `resigned`, `agreed`, `upgrade` or `operator`. */
export interface Ending {
  reason: string;
  winners: number[];
  text: string;
  told?: Record<string, EndingWords>;
}

/** Who chooses at the same time: nothing happens before all have, and until then each may choose again. */
export interface AtOnce {
  asked: number[];
  chosen: number[];
  yours: number | null;
}

/** How the match stands after `ply` actions. */
export interface Position {
  ply: number;
  turn: number;
  to_move: number | null;
  scores: number[];
  picks: string[];
  scene: string | null;
  state: string | null;
  patch: (number | string)[] | null;
  at_once?: AtOnce;
}

/** An action that the seat to move can choose. */
export interface ChoiceView {
  action: number;
  text: string;
  label?: string;
  picks?: string[];
  way?: string;
  undoable?: boolean;
  listed?: boolean;
  usual?: boolean;
}

/** What somebody said at the table. */
export interface ChatLine {
  seat: number;
  name: string;
  text: string;
  at: number;
}

/** A table in a list. Of a table with many seats, `names` and `who` have the first eight. */
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
  people: number;
  clock: ClockSpec;
  bots: number;
  hints: boolean;
  who: string[];
}

/** A whole table, for whoever comes to it or has lost track. */
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
  chat: ChatLine[];
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
  choices: ChoiceView[];
  scored: boolean;
  prompt: string;
  old_rules: string | null;
  code: string;
  judged: boolean;
  chances: number[] | null;
}

/** What tells a seat from the others: a letter, in ink that can be read on its colour. */
export interface Mark {
  letter: string;
  colour: string;
  ink: string;
}

/** An entry of a table's log; what its body has depends on its kind: see `parlour.protocol.entries`. */
export interface LogLine {
  number: number;
  at: number;
  kind: string;
  seat: number;
  body: Record<string, unknown>;
}

/** What has happened at a table since some entry, and how it stands now. */
export interface Log {
  number: number;
  phase: "open" | "over" | "playing";
  ply: number;
  to_move: number | null;
  entries: LogLine[];
}

/** The position of a finished match after `ply` actions, and how it came about. */
export interface Frame {
  ply: number;
  seat: number | null;
  text: string;
  events: EventView[];
  to_move: number;
  turn: number;
  scores: number[];
  picks: string[];
  scene: string;
}

/** Some positions of a finished match, for whoever watches it. */
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
  old_rules: string | null;
}

/** One action of a finished match in a line of words, and the seat that chose it. */
export interface PlyLine {
  seat: number | null;
  text: string;
}

/** A finished match without its pictures: every action in a line, how it ended, and with which scores. */
export interface Summary {
  plies: PlyLine[];
  ending: Ending | null;
  scores: number[];
  scored: boolean;
  judged: boolean;
  doubts: string[];
}

/** How likely each seat was to win in the course of a finished match: for each of these plies, a number a seat. */
export interface Curve {
  plies: number[];
  chances: number[][];
}

/** The lesson of a game: how many steps it has, and what is the same in all of them. */
export interface LessonView {
  game: string;
  title: string;
  steps: number;
  you: number;
  names: string[];
  marks: Mark[];
  size: [number, number];
  backdrop: string;
  bot: string;
  seats: number;
  options: Record<string, number>;
  goal: string;
}

/**
 * One step: what to do, where, and what can be chosen; `right` are the actions that it asks for.
 *
 * `prompt` is what the game says to whom it is to move, as at a table.
 */
export interface LessonStepView {
  text: string;
  clause: number;
  position: Position;
  choices: ChoiceView[];
  right: number[];
  prompt: string;
}

/** One ply that was played in a lesson. */
export interface LessonMove {
  events: EventView[];
  position: Position;
}

/** What comes of a try. If it was right, also what then happened, ply by ply. */
export interface LessonAnswer {
  right: boolean;
  text: string;
  clause: number;
  moves: LessonMove[];
}

/** The key with which a browser subscribes to this server's notifications; empty if there are none. */
export interface PushOffer {
  key: string;
}

/** Whether a browser is told from now on. */
export interface PushAnswer {
  on: boolean;
}

/**
 * Play at this ply: one action by number or in notation, or several in a row.
 *
 * Of several, all or none are played; but where dice fall, those after that are left for when they have been seen.
 */
export interface Act {
  type: "act";
  ply: number;
  action?: number | null;
  text?: string | null;
  actions?: number[] | null;
  cid: string;
}

/** Take back your last choice, or so many; `ply` is how many have been played. */
export interface Undo {
  type: "undo";
  ply: number;
  choices?: number;
  cid: string;
}

/** Give the match up. Where more than two play, a bot plays on in your place. */
export interface Resign {
  type: "resign";
  cid: string;
}

/** Offer a draw, or answer the other's offer, where two play. */
export interface Draw {
  type: "draw";
  answer?: "accept" | "decline" | "offer";
  cid: string;
}

/** Say something to everybody at the table: in your own words, or by one of the reactions. */
export interface Chat {
  type: "chat";
  text?: string;
  reaction?: "hello" | "luck" | "nice" | "oops" | "thanks" | "wow" | null;
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

/** Show the nonce that you sealed when you sat down, now that all seats are taken: then the match begins. */
export interface Reveal {
  type: "reveal";
  nonce: string;
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

/** The best actions, as far as a second of thought can tell; or how the rest of the turn could be played. */
export interface AskHint {
  type: "hint";
  turn?: boolean;
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
  chances?: boolean;
  patches?: boolean;
  pace?: "fast" | "normal" | "off";
}

/** Are you there? Answered with a pong. */
export interface Ping {
  type: "ping";
}

/** Until it is a person's turn, bots need not pause for me. Nor do they, once everybody at the table says so. */
export interface Hurry {
  type: "hurry";
}

/** What somebody who learns wants to do: an action, or one in notation. */
export interface LessonTry {
  action?: number | null;
  text?: string | null;
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
  name?: string;
}

/**
 * Take a seat: that one, or any that is free; or leave it to the lot that is drawn when the match begins.
 *
 * The seal is that of a nonce that goes into the dice, and that you reveal when all have sat down. A nonce in the open
 * goes into them, too, but does not keep others from choosing theirs by it. See docs/fair-dice.md.
 *
 * You may make the token that is to hold the seat, of 24 random bytes or more. Whoever asks again with the same one,
 * because the answer was lost, has the seat that the first asking took.
 */
export interface Sit {
  name: string;
  seat?: number | null;
  lot?: boolean;
  seal?: string;
  nonce?: string;
  invite?: string | null;
  token?: string | null;
}

/** Another token for a seat, which you may make yourself: then you have it even if the answer is lost. */
export interface Renew {
  token?: string | null;
}

/** A browser that is to be told when it is the seat's turn: what its `PushSubscription` has. */
export interface PushSubscribe {
  endpoint: string;
  p256dh: string;
  auth: string;
  language?: "de" | "en";
}

/** A browser that is to be told no more; without an address, all of the seat's. */
export interface PushEnd {
  endpoint?: string | null;
}

/** Why not: a code for programs, a sentence for people. The body of every answer that is an error. */
export interface Problem {
  code: string;
  message: string;
}

/** A table was opened. `invite` is needed to sit down if it is not public. */
export interface Opened {
  table: TableView;
  invite: string;
}

/** The table of a code. `invite` is needed to sit down if it is not public; else it is empty. */
export interface Invitation {
  table: string;
  invite: string;
}

/** You sit. The token holds the seat. Keep it: it is not told again. */
export interface Seated {
  seat: number;
  token: string;
  table: TableView;
}

/** It has happened, and will not be lost: entry `number`, after which `ply` actions have been played. */
export interface Ack {
  type: "ack";
  cid: string;
  number: number;
  ply: number;
  unplayed?: number;
}

/** It has not happened, and why not. */
export interface Reject {
  type: "reject";
  cid: string | null;
  code: string;
  message: string;
}

/** One of the best actions: how often it was tried, and its estimated chance to win. */
export interface HintLine {
  action: number;
  text: string;
  tries: number;
  chance: number;
}

/** The answer to `hint`: the best actions at this ply, the best first; or the rest of the turn, in order. */
export interface HintAnswer {
  type: "hint";
  cid: string;
  ply: number;
  best: HintLine[];
  text: string;
  turn: number[];
}

/** The answer to `hello`: the whole table. */
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
  events: EventView[];
  position: Position | null;
  ending: Ending | null;
  offer: number | null;
  secret: string | null;
  size: [number, number] | null;
  backdrop: string | null;
}

/** What you can do now, at this ply. Sent to a seat whenever the position is another. */
export interface Choices {
  type: "choices";
  ply: number;
  choices: ChoiceView[];
  may_undo: boolean;
  prompt: string;
}

/** How likely each seat is to win at this ply, from 0 to 1. Sent to whoever asked for it and may know. */
export interface Chances {
  type: "chances";
  ply: number;
  chances: number[];
}

/** Who is here, and how many seconds a seat that is not has before a bot takes over. Sent when that changes. */
export interface PresenceUpdate {
  type: "presence";
  here: number[];
  watching: number;
  grace: Record<string, number>;
  notice: string;
  warming: number[];
}

/** The answer to `ping`. */
export interface Pong {
  type: "pong";
}

/** Why the server closes the socket. The last message. */
export interface Bye {
  type: "bye";
  code: string;
  message: string;
}

/** The public tables where others can sit down or watch. Sent at once; then what changes of it is. */
export interface LobbyView {
  type: "lobby";
  tables: TableLine[];
}

/** What has changed of the list: tables that are new or look different, and the ids of those that are gone. */
export interface LobbyChange {
  type: "lobby_change";
  tables: TableLine[];
  gone: string[];
  notice?: string | null;
}

export type Step = Dice | Walk | Fly | Flash;

export type TableCommand = Act | Undo | Resign | Draw | Chat | Back | Leave | Reveal | Start | PutBot | Rematch;

export type SocketMessage =
  | Act
  | Undo
  | Resign
  | Draw
  | Chat
  | Back
  | Leave
  | Reveal
  | Start
  | PutBot
  | Rematch
  | AskHint
  | Hello
  | Ping
  | Hurry;

export type Reply = Ack | Reject;

export type TableMessage =
  | Welcome
  | Update
  | Choices
  | Chances
  | PresenceUpdate
  | HintAnswer
  | Ack
  | Reject
  | Pong
  | Bye;
