/** Where things are in a curve of win chances: the areas of the seats lie one below the other, and fill it. */

import type { Curve } from "../protocol";

/** The chances at a ply: of the last point that is not after it. */
export function chancesAt({ plies, chances }: Curve, ply: number): number[] | null {
  const after = plies.findIndex((one) => one > ply);
  return chances.at(after === -1 ? -1 : Math.max(0, after - 1)) ?? null;
}

/** For each seat its area, as the points of a polygon: a ply is 1 wide, and all seats together are 1 high. */
export function areas(curve: Curve): string[] {
  const seats = curve.chances[0]?.length ?? 0;
  // A match without plies has one point: it is drawn from side to side.
  const { plies, chances } = curve.plies.length === 1 ? doubled(curve) : curve;
  return Array.from({ length: seats }, (_, seat) => {
    const top = plies.map((ply, place) => `${ply},${above(chances[place], seat)}`);
    const bottom = plies.map((ply, place) => `${ply},${above(chances[place], seat + 1)}`);
    return [...top, ...bottom.reverse()].join(" ");
  });
}

const doubled = ({ chances }: Curve): Curve => ({ plies: [0, 1], chances: [...chances, ...chances] });

/** Where the area of a seat is highest, away from the sides: there is room for its letter. */
export function widest(curve: Curve, seat: number): { ply: number; middle: number; height: number } {
  const last = curve.plies.at(-1) ?? 0;
  const found = { ply: last / 2, middle: 0.5, height: 0 };
  curve.plies.forEach((ply, place) => {
    const chances = curve.chances[place];
    const height = chances?.[seat] ?? 0;
    if (ply < last * 0.05 || ply > last * 0.95 || height <= found.height) return;
    Object.assign(found, { ply, middle: above(chances, seat) + height / 2, height });
  });
  return found;
}

/** What lies above the area of a seat: the chances of the seats before it. */
function above(chances: readonly number[] | undefined, seat: number): number {
  const total = (chances ?? []).slice(0, seat).reduce((sum, chance) => sum + chance, 0);
  return Math.round(total * 1e4) / 1e4;
}
