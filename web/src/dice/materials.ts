/** How a solid die looks: ivory with rounded edges, its pips or numerals sunk in, soft shadows under it. */
import { CanvasTexture, MeshBasicMaterial, MeshStandardMaterial, PlaneGeometry, SRGBColorSpace } from "three";
import { RoundedBoxGeometry } from "three/addons/geometries/RoundedBoxGeometry.js";
import { hasBar, pipsOf } from "./faces";

const PIXELS = 256; // of a face

/** The shapes and materials that all dice of a scene share. */
export class Materials {
  readonly body = new RoundedBoxGeometry(1, 1, 1, 5, 0.14);
  readonly blot = new PlaneGeometry().rotateX(-Math.PI / 2);
  private readonly faces = new Map<string, MeshStandardMaterial>();
  private readonly shadows: MeshBasicMaterial[] = [];
  private readonly textures: CanvasTexture[] = [];
  private readonly shade = this.paint(paintShadow);

  /** The material of a face that shows a value. */
  face(value: number, pips: boolean): MeshStandardMaterial {
    const key = `${value} ${pips}`;
    const made = this.faces.get(key) ?? this.makeFace(value, pips);
    this.faces.set(key, made);
    return made;
  }

  /** The material of a roll's first, second … shadow: each its own, as it is the lighter the higher the die is. */
  shadow(index: number): MeshBasicMaterial {
    this.shadows[index] ??= new MeshBasicMaterial({ map: this.shade, transparent: true, depthWrite: false });
    return this.shadows[index];
  }

  release(): void {
    const materials = [...this.faces.values(), ...this.shadows];
    for (const held of [this.body, this.blot, ...materials, ...this.textures]) held.dispose();
  }

  private makeFace(value: number, pips: boolean): MeshStandardMaterial {
    const map = this.paint((pen) => paintFace(pen, value, pips));
    map.colorSpace = SRGBColorSpace;
    const bumpMap = this.paint((pen) => paintDepth(pen, value, pips));
    return new MeshStandardMaterial({ map, bumpMap, bumpScale: 2.5, roughness: 0.45 });
  }

  private paint(paint: (pen: CanvasRenderingContext2D) => void): CanvasTexture {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = PIXELS;
    const pen = canvas.getContext("2d");
    if (!pen) throw new Error("this browser has no canvas to paint dice on");
    paint(pen);
    const texture = new CanvasTexture(canvas);
    texture.anisotropy = 4;
    this.textures.push(texture);
    return texture;
  }
}

function paintFace(pen: CanvasRenderingContext2D, value: number, pips: boolean): void {
  pen.fillStyle = "#f7ecd3";
  pen.fillRect(0, 0, PIXELS, PIXELS);
  pen.fillStyle = "#38200f";
  paintValue(pen, value, pips);
}

/** White is high, black is deep. */
function paintDepth(pen: CanvasRenderingContext2D, value: number, pips: boolean): void {
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, PIXELS, PIXELS);
  pen.filter = "blur(3px)";
  pen.fillStyle = "#000";
  paintValue(pen, value, pips);
}

function paintShadow(pen: CanvasRenderingContext2D): void {
  const middle = PIXELS / 2;
  const blur = pen.createRadialGradient(middle, middle, 0, middle, middle, middle);
  blur.addColorStop(0, "rgb(30 16 4 / 90%)");
  blur.addColorStop(0.55, "rgb(30 16 4 / 55%)");
  blur.addColorStop(1, "rgb(30 16 4 / 0%)");
  pen.fillStyle = blur;
  pen.fillRect(0, 0, PIXELS, PIXELS);
}

function paintValue(pen: CanvasRenderingContext2D, value: number, pips: boolean): void {
  if (pips) paintPips(pen, value);
  else paintNumeral(pen, value);
}

function paintPips(pen: CanvasRenderingContext2D, value: number): void {
  for (const [x, y] of pipsOf(value)) {
    pen.beginPath();
    pen.arc(PIXELS * (0.5 + 0.24 * x), PIXELS * (0.5 + 0.24 * y), PIXELS * 0.096, 0, 2 * Math.PI);
    pen.fill();
  }
}

function paintNumeral(pen: CanvasRenderingContext2D, value: number): void {
  const text = String(value);
  const middle = PIXELS / 2;
  const size = PIXELS * (text.length > 1 ? 0.9 / text.length : 0.58);
  pen.font = `700 ${Math.round(size)}px Georgia, 'DejaVu Serif', serif`;
  pen.textAlign = "center";
  const { actualBoundingBoxAscent: above, actualBoundingBoxDescent: below } = pen.measureText(text);
  pen.fillText(text, middle, middle + (above - below) / 2);
  if (hasBar(value)) pen.fillRect(PIXELS * 0.35, PIXELS * 0.77, PIXELS * 0.3, PIXELS * 0.045);
}
