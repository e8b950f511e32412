import { afterEach, beforeEach, expect, test, vi } from "vitest";

type Synthesizer = typeof import("../src/synthesizer");

const NAMES = ["move", "dice", "take", "turn", "win", "end", "clock", "error", "chat"] as const;

/** Stands for any node or parameter of an audio graph; counts what is started. */
function makeNode(audio: Audio): object {
  const node: object = new Proxy(
    {},
    {
      get: (_, name) => {
        if (name === "start") return () => void audio.started++;
        if (name === "connect") return (next: object) => next;
        if (name === "getChannelData") return () => new Float32Array(8);
        return ["gain", "frequency", "Q", "buffer"].includes(String(name)) ? node : () => node;
      },
      set: () => true,
    },
  );
  return node;
}

class Audio {
  static made: Audio[] = [];
  started = 0;
  state = "suspended";
  currentTime = 0;
  sampleRate = 44100;
  destination = {};
  constructor() {
    Audio.made.push(this);
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
  Audio.made = [];
  page = new EventTarget();
  stored = new Map();
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("AudioContext", Audio);
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** The module as a page that was just opened has it. */
async function openPage(): Promise<Synthesizer> {
  vi.resetModules();
  return import("../src/synthesizer");
}

test("silent before the first gesture, and no sound is kept for later", async () => {
  const { play } = await openPage();
  play("move", 1);
  expect(Audio.made).toEqual([]);
  page.dispatchEvent(new Event("pointerdown"));
  expect(Audio.made[0]?.started).toBe(0);
});

test.each(NAMES)("after a gesture %s is heard", async (name) => {
  const { play } = await openPage();
  page.dispatchEvent(new Event("keydown"));
  play(name, 1);
  expect(Audio.made[0]?.started).toBeGreaterThan(0);
});

test("one context serves all gestures, and is woken when the browser stopped it", async () => {
  const { play } = await openPage();
  page.dispatchEvent(new Event("pointerdown"));
  const [audio] = Audio.made;
  if (audio) audio.state = "interrupted";
  play("move", 1);
  expect(audio?.started).toBe(0);
  page.dispatchEvent(new Event("pointerdown"));
  play("move", 1);
  expect(Audio.made).toEqual([audio]);
  expect(audio?.started).toBeGreaterThan(0);
});

test("without sound in the browser nothing fails", async () => {
  vi.stubGlobal("AudioContext", undefined);
  const { play } = await openPage();
  page.dispatchEvent(new Event("pointerdown"));
  expect(() => play("dice", 1)).not.toThrow();
});

test("a context that refuses to make a sound does not stop the match", async () => {
  const { play } = await openPage();
  page.dispatchEvent(new Event("pointerdown"));
  const [audio] = Audio.made;
  if (!audio) throw new Error("the gesture made no context");
  audio.createGain = () => {
    throw new Error("no more nodes");
  };
  expect(() => play("move", 1)).not.toThrow();
});
