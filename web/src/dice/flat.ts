/** Dice drawn flat, for browsers without WebGL and for people who want less motion. */
import { hasBar, hasPips, pipsOf } from "./faces";
import { animate, cover, fade, pause, type Roll } from "./timing";

const SVG = "http://www.w3.org/2000/svg";
const LYING = 26; // pixels along the side of a die that was thrown
const FLICKER = 70; // milliseconds that a shaken die shows one face

/** Shakes flat dice in the middle of the stage; they stop on their values, then fade. */
export async function rollFlat(roll: Roll): Promise<void> {
  const { stage, values, sides, pace, signal } = roll;
  const tray = document.createElement("div");
  cover(roll, tray);
  Object.assign(tray.style, {
    display: "flex",
    flexWrap: "wrap",
    gap: "14px",
    justifyContent: "center",
    alignContent: "center",
  });
  try {
    const size = dieSize(stage, values.length);
    const pips = hasPips(values, sides);
    const dice = values.map(() => makeDie(size));
    tray.append(...dice);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!still) await shake(dice, values, sides, pips, pace.shake, signal);
    dice.forEach((die, index) => draw(die, values[index] ?? 0, pips));
    await pause(pace.rest, signal);
    await fade(tray, pace.fade, signal);
  } finally {
    tray.remove();
  }
}

/** Dice that lie there, showing these values. */
export function lay(values: readonly number[], sides: number): SVGElement[] {
  const pips = hasPips(values, sides);
  return values.map((value) => {
    const die = makeDie(LYING);
    draw(die, value, pips);
    return die;
  });
}

function dieSize({ clientWidth, clientHeight }: HTMLElement, count: number): number {
  const room = Math.min(clientWidth / Math.min(count, 4), clientHeight / Math.ceil(count / 4));
  return Math.round(Math.max(24, Math.min(72, room * 0.6)));
}

async function shake(
  dice: SVGElement[],
  values: readonly number[],
  sides: number,
  pips: boolean,
  time: number,
  signal: AbortSignal,
): Promise<void> {
  const low = Math.min(1, ...values);
  dice.forEach((die) => die.animate(jolts(), { duration: time, easing: "ease-out" }));
  let shown = -1;
  await animate(time, signal, (part) => {
    const flicker = Math.floor((part * time) / FLICKER);
    if (flicker === shown) return;
    shown = flicker;
    dice.forEach((die) => draw(die, low + Math.floor(Math.random() * sides), pips));
  });
}

/** Ever smaller jumps and turns that end where the die rests. */
function jolts(): Keyframe[] {
  const around = (most: number): number => (2 * Math.random() - 1) * most;
  const steps = [1, 0.8, 0.55, 0.3, 0.12].map((part) => ({
    transform: `translate(${around(26) * part}px, ${-30 * part * Math.random()}px) rotate(${around(150) * part}deg)`,
  }));
  return [...steps, { transform: "none" }];
}

function makeDie(size: number): SVGElement {
  const die = shape("svg", { viewBox: "-50 -50 100 100", width: size, height: size });
  die.style.overflow = "visible";
  die.style.filter = "drop-shadow(0 3px 4px rgb(40 24 10 / 45%))";
  return die;
}

/** Draws the face of a value; whatever the die showed before is gone. */
function draw(die: SVGElement, value: number, pips: boolean): void {
  const body = [
    shape("rect", { x: -48, y: -48, width: 96, height: 96, rx: 20, fill: "#d9c7a0" }),
    shape("rect", { x: -48, y: -48, width: 96, height: 92, rx: 20, fill: "#f8efdb" }),
    shape("rect", { x: -42, y: -42, width: 84, height: 80, rx: 26, fill: "#fdf8ea" }),
  ];
  die.replaceChildren(...body, ...(pips ? drawPips(value) : drawNumeral(value)));
  die.dataset.value = String(value);
}

function drawPips(value: number): SVGElement[] {
  return pipsOf(value).map(([x, y]) => shape("circle", { cx: x * 25, cy: y * 25 - 2, r: 9, fill: "#3b2416" }));
}

function drawNumeral(value: number): SVGElement[] {
  const text = String(value);
  const numeral = shape("text", {
    y: -1,
    fill: "#3b2416",
    "text-anchor": "middle",
    "dominant-baseline": "central",
    "font-weight": 700,
    "font-size": text.length > 1 ? 90 / text.length : 60,
    "font-family": "Georgia, 'DejaVu Serif', serif",
  });
  numeral.textContent = text;
  const bar = shape("rect", { x: -16, y: 27, width: 32, height: 5, rx: 2.5, fill: "#3b2416" });
  return hasBar(value) ? [numeral, bar] : [numeral];
}

function shape(name: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
