/** What is on the six faces of a die, in the order right, left, top, bottom, front, back. */
export type Faces = readonly number[];

/** An ordinary die: opposite faces sum to seven, and 1, 2, 3 run counterclockwise around their corner. */
const ORDINARY: Faces = [1, 6, 2, 5, 3, 4];

/** Where the pips of 1 to 6 are, in steps from the middle of the face. */
const PIPS: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
  1: [[0, 0]],
  2: [
    [-1, -1],
    [1, 1],
  ],
  3: [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  4: [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  5: [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  6: [
    [-1, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
};

/** Whether these are ordinary dice; all others show numerals. */
export function hasPips(values: readonly number[], sides: number): boolean {
  return sides === 6 && values.every((value) => value in PIPS);
}

/** The pips of a face, in steps from its middle. */
export function pipsOf(value: number): readonly (readonly [number, number])[] {
  return PIPS[value] ?? [];
}

/** Whether a numeral needs a bar under it: 6 and 9 are each other's upside down. */
export function hasBar(value: number): boolean {
  return /^[69]+$/.test(String(value));
}

/** The faces of every die of a roll. Each die has its value on it; what else it has is what it could have shown. */
export function facesOf(values: readonly number[], sides: number): Faces[] {
  if (hasPips(values, sides)) return values.map(() => ORDINARY);
  const low = Math.min(1, ...values);
  const span = Math.max(low + sides - 1, ...values) - low + 1;
  const stride = Math.max(1, span / 6);
  return values.map((value) =>
    Array.from({ length: 6 }, (_, face) => low + ((value - low + Math.floor(face * stride)) % span)),
  );
}
