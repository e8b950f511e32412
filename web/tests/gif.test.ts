import { expect, test } from "vitest";
import { Gif, reduce } from "../src/gif";

interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
  delay: number;
  bytes: number; // of compressed pixels
}

/** Reads a GIF as the format's description says, and paints its frames one over the other, as 0xRRGGBB. */
function watch(gif: Uint8Array): { frames: Frame[]; screens: number[][] } {
  const short = (at: number): number => (gif[at] ?? 0) | ((gif[at + 1] ?? 0) << 8);
  expect(String.fromCharCode(...gif.subarray(0, 6))).toBe("GIF89a");
  const [wide, high] = [short(6), short(8)];
  const screen = new Array<number>(wide * high).fill(-1);
  const frames: Frame[] = [];
  const screens: number[][] = [];
  let at = 13 + 19; // the header, and the block that says "again and again"
  while (gif[at] === 0x21) {
    const [delay, clear] = [short(at + 4) * 10, gif[at + 6]];
    at += 8;
    expect(gif[at]).toBe(0x2c);
    const [x, y, width, height] = [short(at + 1), short(at + 3), short(at + 5), short(at + 7)];
    const entries = 2 << ((gif[at + 9] ?? 0) & 7);
    const palette = gif.subarray(at + 10, (at += 10 + 3 * entries));
    const bits = gif[at++] ?? 0;
    const packed: number[] = [];
    for (let size = gif[at++] ?? 0; size > 0; at += size, size = gif[at++] ?? 0) {
      packed.push(...gif.subarray(at, at + size));
    }
    const indexes = unpack(packed, bits);
    expect(indexes).toHaveLength(width * height);
    indexes.forEach((index, place) => {
      const [red = 0, green = 0, blue = 0] = palette.subarray(3 * index);
      const pixel = (y + Math.floor(place / width)) * wide + x + (place % width);
      if (index !== clear) screen[pixel] = (red << 16) | (green << 8) | blue;
    });
    frames.push({ x, y, width, height, delay, bytes: packed.length });
    screens.push([...screen]);
  }
  expect(at).toBe(gif.length - 1);
  expect(gif[at]).toBe(0x3b);
  return { frames, screens };
}

function unpack(packed: number[], bits: number): number[] {
  const [reset, end] = [1 << bits, (1 << bits) + 1];
  const out: number[] = [];
  let [length, bit, before] = [bits + 1, 0, null as number[] | null];
  let known: number[][] = [];
  for (;;) {
    let code = 0;
    for (let step = 0; step < length; step++, bit++) code |= (((packed[bit >> 3] ?? NaN) >> (bit & 7)) & 1) << step;
    if (code === end) {
      expect(Math.ceil(bit / 8)).toBe(packed.length); // nothing lies behind the end
      return out;
    }
    if (code === reset) {
      known = Array.from({ length: end + 1 }, (_, index) => [index]);
      [length, before] = [bits + 1, null];
      continue;
    }
    const next: number[] | undefined = known[code] ?? (before ? [...before, before[0] ?? NaN] : undefined);
    if (!next || code > known.length) throw new Error(`code ${code} came before it was known`);
    if (before && known.length < 4096) known.push([...before, next[0] ?? NaN]);
    if (known.length === 1 << length && length < 12) length++;
    out.push(...next);
    before = next;
  }
}

/** Pixels as a canvas gives them, from 0xRRGGBB. */
function rgba(colours: number[]): Uint8ClampedArray {
  const parts = colours.flatMap((colour) => [colour >> 16, colour >> 8, colour, 255]);
  return Uint8ClampedArray.from(parts, (part) => part & 255);
}

function film(width: number, height: number, pictures: number[][], delay = 100): ReturnType<typeof watch> {
  const gif = new Gif(width, height);
  for (const picture of pictures) gif.add(rgba(picture), delay);
  return watch(gif.bytes());
}

test("pictures of few colours come out as they went in", () => {
  const pictures = [
    [0xff0000, 0x00ff00, 0x0000ff, 0x000000, 0xffffff, 0x123456],
    [0xff0000, 0x00ff00, 0x0000ff, 0x000000, 0xffffff, 0xfedcba],
    [0x111111, 0x00ff00, 0x0000ff, 0x222222, 0xffffff, 0xfedcba],
  ];
  expect(film(3, 2, pictures).screens).toEqual(pictures);
});

test("a frame holds only the box around what changed", () => {
  const white = new Array<number>(20 * 10).fill(0xffffff);
  const dotted = white.with(3 * 20 + 5, 0).with(6 * 20 + 9, 0);
  const [, second] = film(20, 10, [white, dotted]).frames;
  expect(second).toMatchObject({ x: 5, y: 3, width: 5, height: 4 });
});

test("nothing changed: the frame is one pixel, and only its time counts", () => {
  const picture = [1, 2, 3, 4];
  const { frames, screens } = film(2, 2, [picture, picture], 250);
  expect(frames[1]).toMatchObject({ width: 1, height: 1, delay: 250 });
  expect(screens[1]).toEqual(picture);
});

test("delays are in hundredths of a second, and never too short for browsers", () => {
  expect(film(1, 1, [[1]], 404).frames[0]?.delay).toBe(400);
  expect(film(1, 1, [[1]], 0).frames[0]?.delay).toBe(20);
});

test("waiting adds time to what is shown", () => {
  const gif = new Gif(1, 1);
  gif.add(rgba([7]), 100);
  gif.wait(2000);
  const { frames, screens } = watch(gif.bytes());
  expect(frames.map(({ delay }) => delay)).toEqual([100, 2000]);
  expect(screens[1]).toEqual([7]);
});

test.each([1, 2, 3, 5, 16, 200, 255])("noise of %i colours survives, however long its codes grow", (count) => {
  for (const size of [1, 2, 3, 61, 127, 128, 129, 254, 255, 9000]) {
    const noise = Array.from({ length: size }, () => 0x010101 * Math.floor(Math.random() * count));
    expect(film(size, 1, [noise]).screens[0]).toEqual(noise);
  }
});

test("every length of a run ends with a code that readers understand", () => {
  for (let size = 1; size < 700; size++) {
    const run = new Array<number>(size).fill(5);
    expect(film(size, 1, [run]).screens).toEqual([run]);
  }
});

test("many colours become 255 that are close to them", () => {
  const many = Int32Array.from({ length: 64 * 64 }, (_, at) => ((at % 64) * 4) | (((at >> 6) * 4) << 8));
  const { colours, indexes } = reduce(many);
  expect(colours).toHaveLength(255);
  many.forEach((colour, at) => {
    const near = colours[(indexes[at] ?? 0) - 1] ?? NaN;
    expect(Math.abs((near & 255) - (colour & 255))).toBeLessThanOrEqual(16);
    expect(Math.abs((near >> 8) - (colour >> 8))).toBeLessThanOrEqual(16);
  });
});

test("a still picture with one moving dot costs little", () => {
  const noise = Array.from({ length: 100 * 100 }, () => Math.floor(Math.random() * 200));
  const { frames } = film(100, 100, [noise, noise.with(5050, 0xffffff)]);
  expect(frames[0]?.bytes).toBeGreaterThan(5000);
  expect(frames[1]?.bytes).toBeLessThan(10);
});
