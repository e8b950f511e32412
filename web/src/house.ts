/** Who answers the pages: a server, or, where there is none, an engine in this very browser. Both say the same. */

import { at } from "./root";
import { withTimeout } from "./timeout";

const LONGEST = 20_000; // milliseconds without an answer, after which the server counts as out of reach

/** What a page uses of a WebSocket. */
export interface Socket {
  onopen: ((event: Event) => unknown) | null;
  onmessage: ((event: MessageEvent) => unknown) | null;
  onclose: ((event: CloseEvent) => unknown) | null;
  readonly readyState: number;
  send(text: string): void;
  close(): void;
}

export interface House {
  ask(path: string, request: RequestInit): Promise<Response>;
  connect(path: string): Socket;
}

const server: House = {
  ask: (path, request) => withTimeout(fetch(at(path), request), LONGEST),
  connect(path) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    return new WebSocket(`${scheme}://${location.host}${at(path)}`);
  },
};

/** The folders of the engine and of the answers that are always the same; nothing where a server answers. */
const { engine, kept } = globalThis.document?.documentElement.dataset ?? {};

/** Whether these pages have no server: nobody else can come, and all is played in this browser. */
export const isHere = engine !== undefined;

let house = server;
const found = engine && kept ? begin(engine, kept) : null;

/** Whoever asks for something before this is done, or in vain, is told. */
async function begin(engine: string, kept: string): Promise<House & { ready: Promise<void> }> {
  const { LocalHouse } = await import("./site/local-house");
  const local = new LocalHouse(engine, kept);
  house = local;
  return local;
}

/** Ask for something. Rejects where there is no answer. */
export async function ask(path: string, request: RequestInit): Promise<Response> {
  await found;
  return house.ask(path, request);
}

/** A connection to a table that has been asked for. */
export const connect = (path: string): Socket => house.connect(path);

/** Done once the engine plays, where it plays in this browser. */
export const engineReady = async (): Promise<void> => (await found)?.ready;
