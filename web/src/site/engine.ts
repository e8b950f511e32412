/** The engine, in a worker of its own so that pages never wait for it: Parlour's Python, as it is, by Pyodide. */

import { Keeper } from "./keeper";
import type { FromEngine, ToEngine } from "./messages";

/** ``parlour.site.door.Door``. */
interface Door {
  ask(method: string, address: string, body: string, token: string): Promise<string>;
  enter(id: number, table: string, send: (text: string) => void, close: (code: number) => void): void;
  say(id: number, text: string): Promise<void>;
  leave(id: number): void;
}

interface Pyodide {
  unpackArchive(archive: ArrayBuffer, format: string, options: { extractDir: string }): void;
  runPython(code: string): unknown;
  pyimport(name: string): { Door(keeper: Keeper | undefined): Door };
}

const PLACE = "/lib/parlour"; // as in prepare.mjs: compiled modules know where they are
const tell = (message: FromEngine): void => self.postMessage(message);
let door: Promise<Door>;

async function begin(folder: string): Promise<Door> {
  const packed = fetch(`${folder}parlour.zip`).then((answer) => answer.arrayBuffer());
  const { loadPyodide } = (await import(/* @vite-ignore */ `${folder}pyodide.mjs`)) as {
    loadPyodide(options: object): Promise<Pyodide>;
  };
  const keeper = Keeper.open();
  const python = await loadPyodide({ indexURL: folder });
  python.unpackArchive(await packed, "zip", { extractDir: PLACE });
  python.runPython(`import sys; sys.path.insert(0, "${PLACE}")`);
  return python.pyimport("parlour.site.door").Door(await keeper);
}

async function hear(message: ToEngine): Promise<void> {
  if (message.kind === "begin") {
    door = begin(message.folder);
    await door;
    return tell({ kind: "ready" });
  }
  const { id } = message;
  const found = await door;
  if (message.kind === "ask") {
    const { method, address, body, token } = message;
    tell({ kind: "answer", id, answer: await found.ask(method, address, body, token) });
  } else if (message.kind === "enter") {
    const send = (text: string): void => tell({ kind: "told", id, text });
    found.enter(id, message.table, send, () => tell({ kind: "closed", id }));
  } else if (message.kind === "say") await found.say(id, message.text);
  else found.leave(id);
}

self.onmessage = (event: MessageEvent<ToEngine>) => {
  hear(event.data).catch((error: unknown) => {
    console.error(error);
    const message = error instanceof Error ? error.message : String(error);
    const { data } = event;
    if (data.kind === "begin") tell({ kind: "trouble", message });
    else if (data.kind === "ask") tell({ kind: "answer", id: data.id, answer: JSON.stringify([500, "", "{}"]) });
    else tell({ kind: "closed", id: data.id });
  });
};
