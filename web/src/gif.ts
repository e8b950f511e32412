/** Animated GIFs of pictures. Every frame holds only what changed since the one before. */

const PAPER = "#fbf6ea"; // behind pictures that do not cover all of their size
const LINGER = 2000; // milliseconds that the last frame stays before the match starts again
const CLEAR = 0; // the entry of every palette that stands for "as before"
const COLOURS = 255; // besides it

export interface GifOptions {
  width: number; // pixels
  delay: number; // milliseconds from frame to frame
  progress?: (done: number) => void; // told how many frames are done
}

/**
 * Records SVG documents as one GIF; `size` is the size of the picture in units of its own. Rejects if a frame is not
 * an SVG document, and if there are no frames.
 */
export async function recordGif(
  frames: AsyncIterable<string>,
  size: [number, number],
  { width, delay, progress }: GifOptions,
): Promise<Blob> {
  const height = Math.max(1, Math.round((width * size[1]) / size[0]));
  const gif = new Gif(width, height);
  const pen = makePen(width, height);
  let done = 0;
  for await (const svg of frames) {
    await drawSvg(pen, svg);
    gif.add(pen.getImageData(0, 0, width, height).data, delay);
    progress?.(++done);
  }
  if (done === 0) throw new Error("a GIF needs at least one frame");
  gif.wait(LINGER);
  return new Blob([gif.bytes()], { type: "image/gif" });
}

function makePen(width: number, height: number): CanvasRenderingContext2D {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (!pen) throw new Error("this browser has no canvas to draw a GIF on");
  return pen;
}

/** Draws a picture over the whole canvas. As an image each picture is a document of its own: ids never clash. */
async function drawSvg(pen: CanvasRenderingContext2D, svg: string): Promise<void> {
  const { width, height } = pen.canvas;
  const url = URL.createObjectURL(new Blob([sized(svg, width, height)], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    pen.fillStyle = PAPER;
    pen.fillRect(0, 0, width, height);
    pen.drawImage(image, 0, 0, width, height);
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** The picture with a width and a height, without which some browsers do not draw it. */
function sized(svg: string, width: number, height: number): string {
  const picture = new DOMParser().parseFromString(svg, "image/svg+xml");
  if (picture.documentElement.localName !== "svg" || picture.querySelector("parsererror")) {
    throw new Error("a frame of the GIF is not an SVG picture");
  }
  picture.documentElement.setAttribute("width", String(width));
  picture.documentElement.setAttribute("height", String(height));
  return new XMLSerializer().serializeToString(picture);
}

/** A GIF that grows frame by frame. Frames are pixels of four bytes; their opacity is not looked at. */
export class Gif {
  private readonly parts: Uint8Array[] = [];
  private before: Uint32Array | null = null;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    const size = [...short(width), ...short(height)];
    this.write(...text("GIF89a"), ...size, 0x70, 0, 0);
    this.write(0x21, 0xff, 11, ...text("NETSCAPE2.0"), 3, 1, 0, 0, 0); // starts again and again
  }

  /** Adds a frame that is shown for some milliseconds. */
  add(rgba: Uint8ClampedArray, delay: number): void {
    const pixels = new Uint32Array(rgba.slice().buffer);
    const box = changedBox(this.before, pixels, this.width, this.height);
    if (!box) return this.wait(delay);
    const { colours, indexes } = reduce(changedPixels(this.before, pixels, this.width, box));
    this.frame(box, colours, indexes, delay);
    this.before = pixels;
  }

  /** Leaves what is shown for some more milliseconds. */
  wait(delay: number): void {
    this.frame({ x: 0, y: 0, width: 1, height: 1 }, [], Uint8Array.of(CLEAR), delay);
  }

  bytes(): Uint8Array<ArrayBuffer> {
    const parts = [...this.parts, Uint8Array.of(0x3b)];
    const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  private frame(box: Box, colours: number[], indexes: Uint8Array, delay: number): void {
    const bits = Math.max(2, Math.ceil(Math.log2(colours.length + 1)));
    this.write(0x21, 0xf9, 4, 0x05, ...short(Math.max(2, Math.round(delay / 10))), CLEAR, 0);
    this.write(0x2c, ...short(box.x), ...short(box.y), ...short(box.width), ...short(box.height), 0x80 | (bits - 1));
    const palette = new Uint8Array(3 * 2 ** bits);
    colours.forEach((colour, index) => palette.set([colour, colour >> 8, colour >> 16], 3 * (index + 1)));
    this.parts.push(palette);
    this.write(bits);
    const packed = compress(indexes, bits);
    for (let at = 0; at < packed.length; at += 255) {
      const block = packed.subarray(at, at + 255);
      this.write(block.length);
      this.parts.push(block);
    }
    this.write(0);
  }

  private write(...bytes: number[]): void {
    this.parts.push(Uint8Array.from(bytes));
  }
}

function text(characters: string): number[] {
  return [...characters].map((character) => character.charCodeAt(0));
}

function short(value: number): [number, number] {
  return [value & 0xff, value >> 8];
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The smallest box around all pixels that changed, or null if none did. */
function changedBox(before: Uint32Array | null, now: Uint32Array, width: number, height: number): Box | null {
  if (!before) return { x: 0, y: 0, width, height };
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let at = 0; at < now.length; at++) {
    if (now[at] === before[at]) continue;
    const x = at % width;
    left = Math.min(left, x);
    right = Math.max(right, x);
    bottom = Math.floor(at / width);
    top = Math.min(top, bottom);
  }
  return right < 0 ? null : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** The colours in a box as 0xBBGGRR, and -1 for each pixel that is as before. */
function changedPixels(before: Uint32Array | null, now: Uint32Array, width: number, box: Box): Int32Array {
  const changed = new Int32Array(box.width * box.height);
  for (let at = 0; at < changed.length; at++) {
    const pixel = (box.y + Math.floor(at / box.width)) * width + box.x + (at % box.width);
    changed[at] = before && before[pixel] === now[pixel] ? -1 : (now[pixel] ?? 0) & 0xffffff;
  }
  return changed;
}

/** Finds the few colours that stand best for all, and says for each pixel which entry of the palette it takes. */
export function reduce(pixels: Int32Array): { colours: number[]; indexes: Uint8Array } {
  const counts = new Map<number, number>();
  for (const pixel of pixels) if (pixel >= 0) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const groups = split([...counts].map(([colour, count]) => ({ colour, count })));
  const entries = new Map([[-1, CLEAR]]);
  groups.forEach((group, index) => group.forEach(({ colour }) => entries.set(colour, index + 1)));
  return { colours: groups.map(mean), indexes: Uint8Array.from(pixels, (pixel) => entries.get(pixel) ?? CLEAR) };
}

interface Shade {
  colour: number;
  count: number;
}

/** Groups shades that look alike: the group whose channels differ most is halved until there are as many as may be. */
function split(shades: Shade[]): Shade[][] {
  if (shades.length <= COLOURS) return shades.map((shade) => [shade]);
  const groups = [measure(shades)];
  while (groups.length < COLOURS) {
    const widest = groups.reduce((best, group, index) => (group.cost > (groups[best]?.cost ?? 0) ? index : best), 0);
    const [group] = groups.splice(widest, 1);
    if (!group) break;
    groups.push(...halve(group).map(measure));
  }
  return groups.map((group) => group.shades);
}

interface Group {
  shades: Shade[];
  channel: number; // by how far its colour is shifted: the one that varies most
  middle: number;
  cost: number;
}

function measure(shades: Shade[]): Group {
  const [worst] = [0, 8, 16]
    .map((channel) => {
      let [weight, sum, squares] = [0, 0, 0];
      for (const { colour, count } of shades) {
        const value = (colour >> channel) & 0xff;
        weight += count;
        sum += count * value;
        squares += count * value * value;
      }
      return { shades, channel, middle: sum / weight, cost: squares - (sum * sum) / weight };
    })
    .sort((one, other) => other.cost - one.cost);
  if (!worst) throw new Error("a group of no shades");
  return worst;
}

/** Two groups: what is darker and what is lighter than the mean. */
function halve({ shades, channel, middle }: Group): [Shade[], Shade[]] {
  const isDark = ({ colour }: Shade): boolean => ((colour >> channel) & 0xff) <= middle;
  return [shades.filter(isDark), shades.filter((shade) => !isDark(shade))];
}

function mean(shades: Shade[]): number {
  const weight = shades.reduce((sum, { count }) => sum + count, 0);
  return [0, 8, 16].reduce((colour, channel) => {
    const sum = shades.reduce((total, shade) => total + shade.count * ((shade.colour >> channel) & 0xff), 0);
    return colour | (Math.round(sum / weight) << channel);
  }, 0);
}

/** LZW as GIF wants it: codes of growing length, lowest bit first. */
export function compress(indexes: Uint8Array, bits: number): Uint8Array {
  const reset = 1 << bits;
  const out: number[] = [];
  let [held, holding, length, next] = [0, 0, bits + 1, reset + 2];
  let known = new Map<number, number>(); // prefix code and index → code
  const emit = (code: number): void => {
    held |= code << holding;
    for (holding += length; holding >= 8; holding -= 8, held >>>= 8) out.push(held & 0xff);
  };
  emit(reset);
  let prefix = indexes[0] ?? CLEAR;
  for (const index of indexes.subarray(1)) {
    const key = (prefix << 8) | index;
    const code = known.get(key);
    if (code !== undefined) {
      prefix = code;
      continue;
    }
    emit(prefix);
    prefix = index;
    if (next === 4096) {
      emit(reset);
      [known, length, next] = [new Map(), bits + 1, reset + 2];
      continue;
    }
    known.set(key, next);
    if (next++ === 1 << length) length++;
  }
  emit(prefix);
  if (next === 1 << length && length < 12) length++; // readers have grown their table by now
  emit(reset + 1);
  if (holding > 0) out.push(held & 0xff);
  return Uint8Array.from(out);
}
