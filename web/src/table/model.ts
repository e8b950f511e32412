/** The table as this page knows it: what the server showed, changed by what it told since. */

import type { Chances, Choices, Position, PresenceUpdate, SeatView, TableView, Update } from "../protocol";

export interface Model {
  table: TableView;
  watching: number;
  grace: Record<string, number>;
  warming: number[]; // seats whose bots are not ready yet: simpler ones play in their place
  at: number; // when the clocks were told, on the clock of performance.now(): the system's may jump
}

const STORY_LINES = 300;

export function newModel(table: TableView, at: number): Model {
  return { table, watching: 0, grace: {}, warming: [], at };
}

/** Whether the update is the one that comes next; older ones are known, and a gap means asking anew. */
export function order(model: Model, update: Update): "next" | "old" | "gap" {
  if (update.number <= model.table.number) return "old";
  return update.number === model.table.number + 1 ? "next" : "gap";
}

/** The table after an update; its choices are told separately. */
export function withUpdate(model: Model, update: Update, at: number): Model {
  const old = model.table;
  const table: TableView = {
    ...old,
    number: update.number,
    phase: update.phase,
    seats: old.seats.map((seat) => update.seats.find((news) => news.seat === seat.seat) ?? seat),
    story: [...old.story, ...update.events.map((event) => event.text)].slice(-STORY_LINES),
    position: update.position ?? old.position,
    ending: update.ending,
    offer: update.offer,
    secret: update.secret ?? old.secret,
    size: update.size ?? old.size ?? null,
    backdrop: update.backdrop ?? old.backdrop ?? null,
    choices: update.position && !isSameQuestion(update.position, old.position) ? [] : old.choices,
    may_undo: update.position ? false : old.may_undo,
  };
  if (update.kind === "chat" && !update.body.reaction) table.chat = [...old.chat, chatLine(table, update)];
  if (update.kind === "rematch") table.rematch = String(update.body.table);
  return { ...model, table: reseated(table, update), at };
}

/** Whether one still chooses the same: where several do so at once, others have chosen in between. */
const isSameQuestion = (now: Position, before: Position | null): boolean =>
  now.at_once !== undefined && now.ply === before?.ply;

/** The table before dice were thrown to see who begins: they are still to be seen. */
export function beforeDice(model: Model, update: Update): Model {
  const { table } = model;
  const isThrown = update.events.some(({ steps }) => steps.some((step) => step.do === "dice"));
  if (!isThrown || !table.position) return model;
  const story = table.story.slice(0, table.story.length - update.events.length);
  return { ...model, table: { ...table, story, position: { ...table.position, to_move: null } } };
}

/** When the match begins, lots may give people other seats. */
function reseated(table: TableView, update: Update): TableView {
  const seating = update.body.seating as number[] | undefined;
  if (!seating) return table;
  const moved = (seat: number): number => seating[seat] ?? seat;
  const chat = table.chat.map((line) => ({ ...line, seat: moved(line.seat) }));
  return { ...table, chat, you: table.you === null ? null : moved(table.you) };
}

/** The lines that a story has got: an old one may have lost its beginning, and after an undo its end. */
export function freshLines(before: readonly string[], now: readonly string[]): string[] {
  if (now.length < before.length && now.every((line, place) => line === before[place])) return [];
  const known = before.findIndex((_, from) => before.slice(from).every((line, place) => now[place] === line));
  return now.slice(known < 0 ? 0 : before.length - known);
}

function chatLine(table: TableView, update: Update): TableView["chat"][number] {
  const name = table.seats[update.seat]?.name ?? "";
  return { seat: update.seat, name, text: String(update.body.text), at: Date.now() / 1000 };
}

export function withChoices(model: Model, { ply, choices, may_undo, prompt }: Choices): Model {
  if (ply !== plyOf(model)) return model;
  return { ...model, table: { ...model.table, choices, may_undo, prompt } };
}

export function withChances(model: Model, { ply, chances }: Chances): Model {
  return ply === plyOf(model) ? { ...model, table: { ...model.table, chances } } : model;
}

export function withPresence(model: Model, presence: PresenceUpdate): Model {
  const here = new Set(presence.here);
  const seats = model.table.seats.map((seat) => ({ ...seat, here: here.has(seat.seat) }));
  return {
    ...model,
    table: { ...model.table, seats },
    watching: presence.watching,
    grace: presence.grace,
    warming: presence.warming,
  };
}

export const plyOf = ({ table }: Model): number => table.position?.ply ?? 0;

/** The seat of yours that a bot plays to the end, while the match goes on: you have given it up, or used up its time. */
export function goneSeat({ phase, seats, you }: TableView): SeatView | null {
  const seat = phase === "playing" && you !== null ? seats[you] : undefined;
  return seat?.gone ? seat : null;
}

/** Whether you have a part in the match that is being played. */
export const isPlaying = (table: TableView): boolean =>
  table.phase === "playing" && table.you !== null && goneSeat(table) === null;

/** Whether you have lost by the rules, while others play on. */
export const isOut = ({ phase, seats, you }: TableView): boolean =>
  phase === "playing" && you !== null && seats[you]?.out === true;

export const isYourTurn = ({ table }: Model): boolean => isPlaying(table) && table.position?.to_move === table.you;

/** Whether you can choose: on your turn, or once more while others have still to choose at the same time. */
export const mayChoose = ({ table }: Model): boolean =>
  isPlaying(table) && (table.position?.to_move === table.you || yours(table) !== null);

/** What you have chosen while others have still to choose at the same time. */
export const yours = ({ position }: TableView): number | null => position?.at_once?.yours ?? null;

/** Whether the seat has chosen while others have still to choose. */
export const hasChosen = ({ phase, position }: TableView, seat: number): boolean =>
  phase === "playing" && position?.at_once?.chosen.includes(seat) === true;

/** The seats that have still to choose. */
export function awaited({ phase, position }: TableView): number[] {
  if (phase !== "playing" || !position || position.to_move === null) return [];
  const { at_once, to_move } = position;
  return at_once ? at_once.asked.filter((seat) => !at_once.chosen.includes(seat)) : [to_move];
}

/** Whether a bot is to play at whose table you sit. */
export function isBotsTurn({ table }: Model): boolean {
  const seat = table.seats[table.position?.to_move ?? -1];
  if (!isPlaying(table) || !seat) return false;
  return seat.kind === "bot" || seat.stand_in !== null;
}

/** The seconds that a seat has left now. */
export function timeLeft(model: Model, seat: number, now: number): number | null {
  const left = model.table.seats[seat]?.left ?? null;
  if (left === null || !awaited(model.table).includes(seat)) return left;
  return Math.max(0, left - (now - model.at) / 1000);
}
