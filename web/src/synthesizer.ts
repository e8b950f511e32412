/** The sounds of the table, made by the browser itself: no files. Silent until the first gesture, as browsers demand. */

import { withTimeout } from "./timeout";

export type SoundName = "move" | "dice" | "take" | "turn" | "win" | "end" | "clock" | "error" | "chat";

const LOUDEST = 0.5; // of what the graph can do: several sounds may meet
const WAKING = 300; // milliseconds that a sound waits for the browser's sound to begin

let context: AudioContext | null = null;

/** Plays a sound, as loud as it shall be from 0 to 1. Without sound in the browser nothing happens. */
export async function play(name: SoundName, volume: number): Promise<void> {
  if (globalThis.navigator?.userActivation?.hasBeenActive) unlock(); // the first gesture came before this was loaded
  if (context?.state === "suspended") await withTimeout(context.resume(), WAKING).catch(() => undefined);
  if (context?.state !== "running") return;
  try {
    render(name, volume, context);
  } catch {
    // A sound that cannot be made must not stop the match.
  }
}

/** Browsers let sound begin in a gesture only; some stop it again, so every gesture asks. */
function unlock(): void {
  try {
    context ??= new AudioContext();
    if (context.state !== "running") context.resume().catch(() => undefined);
  } catch {
    // There is no sound in this browser.
  }
}

for (const gesture of ["pointerdown", "keydown"]) globalThis.addEventListener?.(gesture, unlock, { passive: true });

/** Puts a sound into an audio graph, starting now. */
export function render(name: SoundName, volume: number, audio: BaseAudioContext): void {
  const out = audio.createGain();
  out.gain.value = LOUDEST * volume;
  out.connect(audio.destination);
  SOUNDS[name]({ audio, out, now: audio.currentTime + 0.01 });
}

interface Output {
  audio: BaseAudioContext;
  out: AudioNode;
  now: number;
}

const SOUNDS: Readonly<Record<SoundName, (output: Output) => void>> = {
  move: (output) => knock(output, 0, 240, 0.8),
  dice: rattle,
  take: (output) => {
    knock(output, 0, 300, 0.6);
    chime(output, 0.05, 784, 0.22, 0.4);
    chime(output, 0.12, 1175, 0.2, 0.5);
  },
  turn: (output) => {
    chime(output, 0, 587, 0.28, 0.6);
    chime(output, 0.14, 880, 0.26, 0.8);
  },
  win: (output) => [523, 659, 784, 1047, 1319].forEach((pitch, step) => chime(output, step * 0.12, pitch, 0.26, 1.1)),
  end: (output) => [659, 523, 440].forEach((pitch, step) => chime(output, step * 0.2, pitch, 0.24, 1)),
  clock: (output) => [2100, 1500, 2100, 1500].forEach((pitch, step) => click(output, step * 0.25, pitch, 1.2, 0.06)),
  error: (output) => {
    knock(output, 0, 120, 0.8);
    knock(output, 0.13, 95, 0.8);
  },
  chat: (output) => chime(output, 0, 1047, 0.26, 0.2),
};

/** Wood on wood: a dull tone that falls, and the click of the touch. */
function knock(output: Output, after: number, pitch: number, level: number): void {
  const start = output.now + after;
  const tone = output.audio.createOscillator();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch * 1.6, start);
  tone.frequency.exponentialRampToValueAtTime(pitch, start + 0.03);
  tone.connect(dying(output, start, level, 0.12));
  tone.start(start);
  tone.stop(start + 0.15);
  click(output, after, pitch * 7, level * 0.9, 0.03);
}

/** Noise around a pitch: what two hard things sound like when they touch. */
function click(output: Output, after: number, pitch: number, level: number, time: number): void {
  const { audio, now } = output;
  const noise = audio.createBufferSource();
  noise.buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * time), audio.sampleRate);
  const samples = noise.buffer.getChannelData(0);
  for (let at = 0; at < samples.length; at++) samples[at] = 2 * Math.random() - 1;
  const band = audio.createBiquadFilter();
  band.type = "bandpass";
  band.frequency.value = pitch;
  band.Q.value = 1.8;
  noise.connect(band).connect(dying(output, now + after, level, time));
  noise.start(now + after);
}

/** Dice on a table: knocks that come ever faster and softer. */
function rattle(output: Output): void {
  let after = 0;
  for (let gap = 0.12; gap > 0.02; gap *= 0.84) {
    const level = 0.7 + 10 * gap;
    click(output, after, 1800 + 1600 * Math.random(), level, 0.035);
    click(output, after, 500 + 200 * Math.random(), level * 0.7, 0.05);
    after += gap * (0.7 + 0.6 * Math.random());
  }
}

/** A small bell: a tone and two of its overtones that die away. */
function chime(output: Output, after: number, pitch: number, level: number, time: number): void {
  const start = output.now + after;
  [1, 2, 3.01].forEach((overtone, index) => {
    const tone = output.audio.createOscillator();
    tone.frequency.value = pitch * overtone;
    tone.connect(dying(output, start, level / 3 ** index, time / (index + 1)));
    tone.start(start);
    tone.stop(start + time + 0.05);
  });
}

/** A gain that opens at once and dies away. */
function dying({ audio, out }: Output, start: number, level: number, time: number): GainNode {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0.0001, start);
  gain.gain.exponentialRampToValueAtTime(level, start + 0.004);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + time);
  gain.connect(out);
  return gain;
}
