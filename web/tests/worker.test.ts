import { beforeEach, expect, test, vi } from "vitest";
import SOURCE from "../worker.js?raw";

const HOST = "https://parlour.example";

type Listener = (event: unknown) => void;

/** The browser's caches, as far as the worker uses them. */
class Caches {
  readonly kept = new Map<string, Map<string, string>>();

  async open(name: string) {
    const files = this.kept.get(name) ?? new Map<string, string>();
    this.kept.set(name, files);
    const path = (request: unknown) => new URL((request as Request).url ?? request, HOST).pathname;
    const add = async (request: unknown) => void files.set(path(request), `network ${path(request)}`);
    return {
      add,
      addAll: (paths: string[]) => Promise.all(paths.map(add)),
      match: async (request: unknown) => files.get(path(request)),
      put: async (request: unknown, answer: Response) => void files.set(path(request), await answer.text()),
    };
  }

  async match(request: { url: string }) {
    const path = new URL(request.url).pathname;
    return [...this.kept.values()].find((files) => files.has(path))?.get(path);
  }

  keys = async () => [...this.kept.keys()];
  delete = async (name: string) => this.kept.delete(name);
}

let caches = new Caches();
let network: (request: { url: string }) => unknown;
beforeEach(() => {
  caches = new Caches();
  network = () => new Promise(() => undefined); // nobody answers
});

/** The worker of a build, with a way to send it events: resolves to what it answers and to its work being done. */
function worker(version: string, files: string[]) {
  const listeners = new Map<string, Listener>();
  const self = {
    addEventListener: (kind: string, listener: Listener) => listeners.set(kind, listener),
    clients: { claim: async () => undefined },
    location: new URL(`${HOST}/worker.js`),
    skipWaiting: vi.fn(),
  };
  const source = SOURCE.replace('"version"', `"${version}"`).replace('["files"]', JSON.stringify(files));
  const Asked = class {
    readonly url: string;
    constructor(path: string) {
      this.url = HOST + path;
    }
  };
  const run = new Function("self", "caches", "fetch", "Request", source);
  let installs = false;
  const asked = async (request: { url: string }) =>
    installs ? new Response(`network ${new URL(request.url).pathname}`) : network(request);
  run(self, caches, asked, Asked);
  return async (kind: string, more: object = {}) => {
    const work: unknown[] = [];
    let answer: unknown;
    const respondWith = (promise: unknown) => (answer = promise);
    installs = kind === "install";
    listeners.get(kind)?.({ waitUntil: (promise: unknown) => work.push(promise), respondWith, ...more });
    if (answer === undefined) await Promise.all(work);
    return { answer: await answer, work };
  };
}

const visit = (path: string) => ({ request: { method: "GET", mode: "navigate", url: HOST + path } });
const load = (path: string) => ({ request: { method: "GET", mode: "cors", url: HOST + path } });

test("pages open at once, before the server has answered", async () => {
  const send = worker("1", ["assets/index-1.js"]);
  await send("install");
  await send("activate");
  for (const path of ["/", "/tables", "/table/abc", "/rules/goose", "/learn", "/replay"])
    expect((await send("fetch", visit(path))).answer).toBe("network /");
  expect((await send("fetch", load("/assets/index-1.js"))).answer).toBe("network /assets/index-1.js");
});

test("what is no page, and what the server says, is left to the network", async () => {
  const send = worker("1", []);
  await send("install");
  for (const event of [visit("/api/games"), visit("/metrics"), load("/api/tables"), load("/table/abc/live")])
    expect((await send("fetch", event)).answer).toBe(undefined);
});

test("a page that is open keeps the files of its build, until the build after the next", async () => {
  for (const [version, files] of [
    ["1", ["assets/table-1.js"]],
    ["2", ["assets/table-2.js"]],
  ] as const) {
    const send = worker(version, [...files]);
    await send("install");
    await send("activate");
    expect((await send("fetch", load("/assets/table-1.js"))).answer).toBe("network /assets/table-1.js");
  }
  const send = worker("3", ["assets/table-3.js"]);
  await send("install");
  await send("activate");
  expect(await caches.keys()).toEqual(["parlour-2", "parlour-3"]);
});

test("a document of another build is not kept with the files of this one", async () => {
  const send = worker("1", ["assets/index-1.js"]);
  await send("install");
  const says = async (text: string) => {
    network = async () => new Response(text);
    const { work } = await send("fetch", visit("/"));
    await Promise.all(work);
    return (await send("fetch", visit("/"))).answer;
  };
  expect(await says('other <script src="/assets/index-2.js">')).toBe("network /");
  expect(await says('same <script src="/assets/index-1.js">')).toBe('same <script src="/assets/index-1.js">');
});

test("a document from a host of files is kept for every address", async () => {
  const send = worker("1", ["assets/index-1.js", "engine-0123456789ab/parlour.zip"]);
  await send("install");
  const says = async (text: string) => {
    network = async () => new Response(text);
    const { work } = await send("fetch", visit("/"));
    await Promise.all(work);
    return (await send("fetch", visit("/rules/goose/"))).answer;
  };
  const document = (engine: string) =>
    `<html data-root="./" data-engine="${engine}"><script src="./assets/index-1.js">`;
  expect(await says(document("engine-0123456789ab"))).toBe(
    '<html data-root="/" data-engine="engine-0123456789ab"><script src="/assets/index-1.js">',
  );
  expect(await says(document("engine-ba9876543210"))).toContain("engine-0123456789ab");
  expect((await send("fetch", load("/engine-0123456789ab/parlour.zip"))).answer).toBe(
    "network /engine-0123456789ab/parlour.zip",
  );
});
