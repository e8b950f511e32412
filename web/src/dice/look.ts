/** How a solid die looks: ivory with rounded edges, its pips or numerals sunk in. */
import { CanvasTexture, MeshStandardMaterial, SRGBColorSpace, type Texture } from "three";
import { hasBar, pipsOf } from "./faces";

const PIXELS = 256; // of a face

/** The material of a face that shows a value. */
export function faceMaterial(value: number, pips: boolean): MeshStandardMaterial {
  const colour = texture((pen) => {
    pen.fillStyle = "#f7ecd3";
    pen.fillRect(0, 0, PIXELS, PIXELS);
    pen.fillStyle = "#38200f";
    mark(pen, value, pips, 1);
  });
  colour.colorSpace = SRGBColorSpace;
  const height = texture((pen) => {
    pen.fillStyle = "#fff";
    pen.fillRect(0, 0, PIXELS, PIXELS);
    pen.filter = "blur(3px)";
    pen.fillStyle = "#000";
    mark(pen, value, pips, 1.08);
  });
  return new MeshStandardMaterial({ map: colour, bumpMap: height, bumpScale: 2.5, roughness: 0.32, metalness: 0 });
}

/** A soft round shadow, dark in the middle. */
export function shadowTexture(): Texture {
  return texture((pen) => {
    const middle = PIXELS / 2;
    const blur = pen.createRadialGradient(middle, middle, 0, middle, middle, middle);
    blur.addColorStop(0, "rgb(30 16 4 / 90%)");
    blur.addColorStop(0.55, "rgb(30 16 4 / 55%)");
    blur.addColorStop(1, "rgb(30 16 4 / 0%)");
    pen.fillStyle = blur;
    pen.fillRect(0, 0, PIXELS, PIXELS);
  });
}

function texture(paint: (pen: CanvasRenderingContext2D) => void): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = PIXELS;
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("this browser has no canvas to paint dice on");
  paint(pen);
  const made = new CanvasTexture(canvas);
  made.anisotropy = 4;
  return made;
}

/** Draws the pips or the numeral of a value in the pen's colour. */
function mark(pen: CanvasRenderingContext2D, value: number, pips: boolean, swell: number): void {
  const middle = PIXELS / 2;
  if (pips) {
    for (const [x, y] of pipsOf(value)) {
      pen.beginPath();
      pen.arc(middle + x * PIXELS * 0.24, middle + y * PIXELS * 0.24, PIXELS * 0.096 * swell, 0, 2 * Math.PI);
      pen.fill();
    }
    return;
  }
  const text = String(value);
  const size = PIXELS * (text.length > 1 ? 0.9 / text.length : 0.58);
  pen.font = `700 ${Math.round(size)}px Georgia, 'DejaVu Serif', serif`;
  pen.textAlign = "center";
  pen.textBaseline = "alphabetic";
  const { actualBoundingBoxAscent: above, actualBoundingBoxDescent: below } = pen.measureText(text);
  pen.fillText(text, middle, middle + (above - below) / 2);
  if (hasBar(value)) pen.fillRect(middle - PIXELS * 0.15, middle + PIXELS * 0.27, PIXELS * 0.3, PIXELS * 0.045);
}
