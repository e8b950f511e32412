import { afterEach, beforeEach, expect, test, vi } from "vitest";

type Sound = typeof import("../src/sound");

const NAMES = ["move", "dice", "take", "turn", "win", "error", "chat"] as const;

/** Stands for any node or parameter of an audio graph; counts what is started. */
function makeNode(desk: Desk): object {
  const node: object = new Proxy(
    {},
    {
      get: (_, name) => {
        if (name === "start") return () => void desk.started++;
        if (name === "connect") return (next: object) => next;
        if (name === "getChannelData") return () => new Float32Array(8);
        return ["gain", "frequency", "Q", "buffer"].includes(String(name)) ? node : () => node;
      },
      set: () => true,
    },
  );
  return node;
}

class Desk {
  static made: Desk[] = [];
  started = 0;
  state = "suspended";
  currentTime = 0;
  sampleRate = 44100;
  destination = {};
  constructor() {
    Desk.made.push(this);
  }
  resume(): Promise<void> {
    this.state = "running";
    return Promise.resolve();
  }
  createGain = (): object => makeNode(this);
  createOscillator = (): object => makeNode(this);
  createBufferSource = (): object => makeNode(this);
  createBuffer = (): object => makeNode(this);
  createBiquadFilter = (): object => makeNode(this);
}

let page: EventTarget;
let stored: Map<string, string>;

beforeEach(() => {
  Desk.made = [];
  page = new EventTarget();
  stored = new Map();
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("AudioContext", Desk);
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** The module as a page that was just opened has it. */
async function openPage(): Promise<Sound> {
  vi.resetModules();
  return import("../src/sound");
}

test("silent before the first gesture, and no sound is kept for later", async () => {
  const { play } = await openPage();
  play("move");
  expect(Desk.made).toEqual([]);
  page.dispatchEvent(new Event("pointerdown"));
  expect(Desk.made[0]?.started).toBe(0);
});

test.each(NAMES)("after a gesture %s is heard", async (name) => {
  const { play } = await openPage();
  page.dispatchEvent(new Event("keydown"));
  play(name);
  expect(Desk.made[0]?.started).toBeGreaterThan(0);
});

test("one desk serves all gestures, and is woken when the browser stopped it", async () => {
  const { play } = await openPage();
  page.dispatchEvent(new Event("pointerdown"));
  const [desk] = Desk.made;
  if (desk) desk.state = "interrupted";
  play("move");
  expect(desk?.started).toBe(0);
  page.dispatchEvent(new Event("pointerdown"));
  play("move");
  expect(Desk.made).toEqual([desk]);
  expect(desk?.started).toBeGreaterThan(0);
});

test("muted is silent, and remembered by the next page", async () => {
  const { isMuted, play, setMuted } = await openPage();
  page.dispatchEvent(new Event("pointerdown"));
  expect(isMuted()).toBe(false);
  setMuted(true);
  play("win");
  expect(Desk.made[0]?.started).toBe(0);
  const next = await openPage();
  expect(next.isMuted()).toBe(true);
  next.setMuted(false);
  expect((await openPage()).isMuted()).toBe(false);
});

test("without sound and without storage nothing fails", async () => {
  vi.stubGlobal("AudioContext", undefined);
  vi.stubGlobal("localStorage", undefined);
  const { isMuted, play, setMuted } = await openPage();
  page.dispatchEvent(new Event("pointerdown"));
  expect(() => play("dice")).not.toThrow();
  setMuted(true);
  expect(isMuted()).toBe(true);
});

test("a desk that refuses to make a sound does not stop the match", async () => {
  const { play } = await openPage();
  page.dispatchEvent(new Event("pointerdown"));
  const [desk] = Desk.made;
  if (!desk) throw new Error("the gesture made no desk");
  desk.createGain = () => {
    throw new Error("no more nodes");
  };
  expect(() => play("move")).not.toThrow();
});
