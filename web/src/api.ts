/** The server's API, as far as the pages need it. */

import { touches } from "./dom";
import { Faces } from "./faces";
import * as house from "./house";
import { language } from "./language";
import type {
  Curve,
  Frames,
  GameView,
  Invitation,
  Opened,
  OpenTable,
  PushAnswer,
  PushEnd,
  PushOffer,
  PushSubscribe,
  Seated,
  Sit,
  Summary,
  TableLine,
  TableView,
} from "./protocol";

/** Why the server would not: a code for programs, a sentence for people. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

interface Request {
  body?: unknown;
  text?: string | undefined; // JSON that is sent as it is: numbers here have 53 bits, and a seed has up to 128
  token?: string | null;
  signal?: AbortSignal;
}

async function ask(path: string, { body, text, token, signal }: Request = {}): Promise<Response> {
  const headers: Record<string, string> = {};
  if (token) headers.authorization = `Bearer ${token}`;
  const content = text ?? (body === undefined ? undefined : JSON.stringify(body));
  if (content !== undefined) headers["content-type"] = "application/json";
  const request: RequestInit = { headers, signal: signal ?? null };
  if (content !== undefined) Object.assign(request, { method: "POST", body: content });
  const answer = await house.ask(path, request).catch(() => {
    throw new Refused("offline", "");
  });
  if (answer.ok) return answer;
  const problem = (await answer.json().catch(() => ({}))) as { code?: string; message?: string };
  throw new Refused(problem.code ?? "bug", problem.message ?? answer.statusText);
}

export async function json<T>(path: string, request: Request = {}): Promise<T> {
  return (await (await ask(path, request)).json()) as T;
}

const tables = "/api/tables";
const known = new Map<string, Promise<GameView[]>>();

/** The games; asked once for each language. */
export function games(): Promise<GameView[]> {
  const tongue = language();
  const asked = known.get(tongue) ?? json<GameView[]>(`/api/games?language=${tongue}`);
  known.set(tongue, asked);
  asked.catch(() => known.delete(tongue));
  return asked;
}

export const picture = (game: string): string =>
  `/api/games/${encodeURIComponent(game)}/picture?language=${language()}`;

const drawn = new Map<string, Promise<string>>();

/** A picture at its address; asked once. */
export function svg(path: string): Promise<string> {
  const asked = drawn.get(path) ?? ask(path).then((answer) => answer.text());
  drawn.set(path, asked);
  asked.catch(() => drawn.delete(path));
  return asked;
}

/** What the diagrams of a rulebook show, and where each of them is. */
export async function diagrams(game: string): Promise<{ caption: string; src: string }[]> {
  const path = `/api/games/${encodeURIComponent(game)}/diagrams`;
  const captions = await json<string[]>(`${path}?language=${language()}`);
  return captions.map((caption, number) => ({ caption, src: `${path}/${number}?language=${language()}` }));
}

export async function rulebook(game: string): Promise<string> {
  return (await ask(`/api/games/${encodeURIComponent(game)}/rulebook?language=${language()}`)).text();
}

export const open = (wish: OpenTable): Promise<Opened> => json(`${tables}/`, { body: wish });

/** A table where somebody waits for just such a match, or a new one. */
export const pair = (wish: OpenTable): Promise<Opened> => json("/api/pairings", { body: wish });

/** The path of the table with this code. */
export async function pathOfCode(code: string): Promise<string> {
  const { table, invite } = await json<Invitation>(`/api/codes/${encodeURIComponent(code)}`);
  return `/table/${table}${invite ? `#invite=${invite}` : ""}`;
}

/** Tables of a game where somebody is who waits for others. */
export async function waiting(game: string): Promise<ListedTable[]> {
  const query = new URLSearchParams({ waiting: "true", game, limit: "3" });
  return titled(await json(`${tables}/?${query}`));
}

/** How many people play this game just now, at tables that anybody can see; counted up to a hundred tables. */
export async function playing(game: string): Promise<number> {
  const query = new URLSearchParams({ phase: "playing", game, limit: "100" });
  const lines = await json<TableLine[]>(`${tables}/?${query}`);
  return lines.reduce((sum, { people = 0 }) => sum + people, 0);
}

export const look = (table: string, token?: string): Promise<TableView> =>
  json(`${tables}/${encodeURIComponent(table)}?language=${language()}&undoable=${touches()}`, { token: token ?? null });

const ONLY_HERE = /^(localhost|127\.[\d.]+|\[::1\]|.*\.localhost)$/;

/** The address of this server for other devices; null if it has none. */
export async function reachable(): Promise<string | null> {
  if (!ONLY_HERE.test(location.hostname)) return location.origin;
  const { url } = await json<{ url: string }>("/api/reach");
  return url || null;
}

export interface Search {
  name: string;
  game: string;
  limit: number;
  before: number | undefined;
}

/** Matches that are over, the last first. */
export async function finished({ name, game, limit, before }: Search): Promise<ListedTable[]> {
  const query = new URLSearchParams({ phase: "over", limit: String(limit) });
  if (name) query.set("name", name);
  if (game) query.set("game", game);
  if (before !== undefined) query.set("before", String(before));
  return titled(await json(`${tables}/?${query}`));
}

/** A table in a list; `exact` are the names there as programs know them, where people know them by others. */
export type ListedTable = TableLine & { exact: string };

/** Tables as the reader knows their games and bots: lists are the same for everybody. */
export async function titled(lines: readonly TableLine[]): Promise<ListedTable[]> {
  const known = new Map((await games().catch(() => [])).map((game) => [game.name, game]));
  return lines.map((line) => {
    const game = known.get(line.game);
    const shown = new Faces(game?.faces ?? []).line(line);
    const exact = line.names.filter((name, seat) => name !== shown.names[seat]).join(", ");
    return { ...shown, title: game?.title ?? line.title, exact };
  });
}

/** The bots of a game as people know them. */
export async function faces(name: string): Promise<Faces> {
  const game = (await games().catch(() => [])).find((one) => one.name === name);
  return new Faces(game?.faces ?? []);
}

export const sit = (table: string, wish: Sit, token?: string): Promise<Seated> =>
  json(`${tables}/${encodeURIComponent(table)}/sit`, { body: wish, token: token ?? null });

/** What the browser needs to subscribe to push messages of this server; empty if it sends none. */
export const pushKey = async (): Promise<string> => (await json<PushOffer>("/api/push")).key;

export const pushTo = (table: string, token: string, wish: PushSubscribe): Promise<PushAnswer> =>
  json(`${tables}/${encodeURIComponent(table)}/push`, { body: wish, token });

export const endPush = (table: string, token: string, wish: PushEnd): Promise<PushAnswer> =>
  json(`${tables}/${encodeURIComponent(table)}/push/end`, { body: wish, token });

export const frames = (table: string, first: number, count: number, signal: AbortSignal): Promise<Frames> =>
  json(`${tables}/${encodeURIComponent(table)}/frames?first=${first}&count=${count}&language=${language()}`, {
    signal,
  });

export const framesOf = (file: string, first: number, count: number, signal: AbortSignal): Promise<Frames> =>
  json(`/api/replays?first=${first}&count=${count}&language=${language()}`, { text: file, signal });

export const summary = (table: string, signal: AbortSignal): Promise<Summary> =>
  json(`${tables}/${encodeURIComponent(table)}/summary?language=${language()}`, { signal });

export const summaryOf = (file: string, signal: AbortSignal): Promise<Summary> =>
  json(`/api/replays/summary?language=${language()}`, { text: file, signal });

export const chances = (table: string, signal: AbortSignal): Promise<Curve> =>
  json(`${tables}/${encodeURIComponent(table)}/chances`, { signal });

export const chancesOf = (file: string, signal: AbortSignal): Promise<Curve> =>
  json("/api/replays/chances", { text: file, signal });

export async function replayText(table: string): Promise<string> {
  return (await ask(`${tables}/${encodeURIComponent(table)}/replay`)).text();
}
