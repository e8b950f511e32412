/** Animated GIFs of pictures. Every frame holds only what changed since the one before. */

import { applyPalette, GIFEncoder, quantize } from "gifenc";

const PAPER = "#fbf6ea"; // behind pictures that do not cover all of their size
const LINGER = 2000; // milliseconds that the last frame stays before the match starts again
const COLOURS = 255; // of a frame; one more entry of its palette stands for "as before"
const KEEP = 1; // how a frame ends: it stays, and the next is painted over it
const SHORTEST = 20; // milliseconds; browsers slow down what is shorter

export interface GifOptions {
  width: number; // pixels
  delay: number; // milliseconds from frame to frame
  style?: string; // for all frames
  progress?: (done: number) => void; // told how many frames are done
  signal?: AbortSignal; // ends the recording, which then rejects
}

/**
 * Records SVG documents as one GIF; `size` is the size of the picture in units of its own. Rejects if a frame is not
 * an SVG document, and if there are no frames.
 */
export async function recordGif(
  frames: AsyncIterable<string>,
  size: [number, number],
  { width, delay, style = "", progress, signal }: GifOptions,
): Promise<Blob> {
  const height = Math.max(1, Math.round((width * size[1]) / size[0]));
  const gif = new Gif(width, height);
  const pen = makePen(width, height);
  let done = 0;
  for await (const svg of frames) {
    signal?.throwIfAborted();
    await drawSvg(pen, svg, style);
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
async function drawSvg(pen: CanvasRenderingContext2D, svg: string, style: string): Promise<void> {
  const { width, height } = pen.canvas;
  // The style comes last: a document that is parsed here has to keep to the page's policy, which allows none.
  const picture = sized(svg, width, height).replace(/<svg[^>]*>/, (start) => start + style);
  const url = URL.createObjectURL(new Blob([picture], { type: "image/svg+xml" }));
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
  private readonly encoder = GIFEncoder();
  private before: Uint32Array | null = null;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {}

  /** Adds a frame that is shown for some milliseconds. */
  add(rgba: Uint8ClampedArray, delay: number): void {
    const pixels = new Uint32Array(rgba.slice().buffer);
    const { before } = this;
    this.before = pixels;
    const changed = before ? pixels.filter((pixel, at) => pixel !== before[at]) : pixels;
    const bytes = new Uint8Array(changed.slice().buffer);
    const colours = changed.length > 0 ? quantize(bytes, COLOURS) : [];
    const indexes = applyPalette(bytes, colours);
    let next = 0;
    const isSame = (at: number): boolean => before !== null && before[at] === pixels[at];
    const frame = Uint8Array.from(pixels, (_, at) => (isSame(at) ? colours.length : (indexes[next++] ?? 0)));
    this.write(frame, colours, delay);
  }

  /** Leaves what is shown for some more milliseconds. */
  wait(delay: number): void {
    this.write(new Uint8Array(this.width * this.height), [], delay);
  }

  bytes(): Uint8Array<ArrayBuffer> {
    this.encoder.finish();
    return this.encoder.bytes();
  }

  private write(indexes: Uint8Array, colours: number[][], delay: number): void {
    this.encoder.writeFrame(indexes, this.width, this.height, {
      palette: [...colours, [0, 0, 0]],
      delay: Math.max(SHORTEST, delay),
      transparent: true,
      transparentIndex: colours.length,
      dispose: KEEP,
    });
  }
}
