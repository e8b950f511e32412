import { expect, test } from "vitest";
import { Gif } from "../src/replay/gif";

interface Block {
  kind: "frame" | "other";
  delay: number; // milliseconds
  bytes: number;
}

/** The blocks of a GIF, as the format's description has them. */
function blocks(gif: Uint8Array): Block[] {
  const found: Block[] = [];
  const short = (at: number): number => (gif[at] ?? 0) | ((gif[at + 1] ?? 0) << 8);
  const table = (flags: number): number => (flags & 0x80 ? 3 * (2 << (flags & 7)) : 0);
  let [at, delay] = [13 + table(gif[10] ?? 0), 0];
  const skip = (): number => {
    const start = at;
    for (let size = gif[at++] ?? 0; size > 0; size = gif[at++] ?? 0) at += size;
    return at - start;
  };
  expect(String.fromCharCode(...gif.subarray(0, 6))).toBe("GIF89a");
  while (gif[at] !== 0x3b) {
    if (gif[at] === 0x21) {
      if (gif[at + 1] === 0xf9) delay = 10 * short(at + 4);
      at += 2;
      found.push({ kind: "other", delay, bytes: skip() });
    } else {
      expect(gif[at]).toBe(0x2c);
      at += 11 + table(gif[at + 9] ?? 0);
      found.push({ kind: "frame", delay, bytes: skip() });
    }
  }
  expect(at).toBe(gif.length - 1);
  return found;
}

const frames = (gif: Gif): Block[] => blocks(gif.bytes()).filter(({ kind }) => kind === "frame");

/** Pixels as a canvas gives them, from 0xRRGGBB. */
function rgba(colours: number[]): Uint8ClampedArray {
  return Uint8ClampedArray.from(colours.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255, 255]));
}

test("every picture is a frame with its delay, and waiting is one more", () => {
  const gif = new Gif(2, 1);
  gif.add(rgba([0xff0000, 0x00ff00]), 404);
  gif.add(rgba([0xff0000, 0x0000ff]), 0);
  gif.wait(2000);
  expect(frames(gif).map(({ delay }) => delay)).toEqual([400, 20, 2000]);
});

test("a still picture with one moving dot costs little", () => {
  const noise = Array.from({ length: 100 * 100 }, () => Math.floor(Math.random() * 0xffffff));
  const gif = new Gif(100, 100);
  gif.add(rgba(noise), 100);
  gif.add(rgba(noise.with(5050, 0xffffff)), 100);
  gif.add(rgba(noise.with(5050, 0xffffff)), 100);
  const [first, second, third] = frames(gif);
  expect(first?.bytes).toBeGreaterThan(5000);
  expect(second?.bytes).toBeLessThan(400);
  expect(third?.bytes).toBeLessThan(400);
});
