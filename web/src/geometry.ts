/** Where things are: what the arrow keys lead to, what a rubber band holds, which way is which. */

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

export type Arrow = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

const TOWARDS: Record<Arrow, Point> = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
};
const SIDEWAYS = 2.2; // how much farther something counts for every step aside

export const middle = (box: Box): Point => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
export const isArrow = (key: string): key is Arrow => key in TOWARDS;

/** The place that an arrow key leads to from another: the nearest ahead, straight ones before those aside. */
export function neighbour(from: Point, arrow: Arrow, places: ReadonlyMap<string, Point>): string | undefined {
  const { x: dx, y: dy } = TOWARDS[arrow];
  let best: string | undefined;
  let least = Infinity;
  for (const [name, place] of places) {
    const ahead = (place.x - from.x) * dx + (place.y - from.y) * dy;
    const aside = Math.abs((place.x - from.x) * dy) + Math.abs((place.y - from.y) * dx);
    const cost = ahead + SIDEWAYS * aside;
    if (ahead > 0.5 && aside <= 3 * ahead && cost < least) [best, least] = [name, cost];
  }
  return best;
}

/** The places inside a box that was drawn from one corner to another. */
export function within(one: Point, other: Point, places: ReadonlyMap<string, Point>): string[] {
  const [left, right] = [Math.min(one.x, other.x), Math.max(one.x, other.x)];
  const [top, bottom] = [Math.min(one.y, other.y), Math.max(one.y, other.y)];
  return [...places].filter(([, { x, y }]) => x >= left && x <= right && y >= top && y <= bottom).map(([name]) => name);
}

/** The middle of a window of this size that has as many of the points in it as any; the first point decides a tie. */
export function fullest(points: readonly Point[], width: number, height: number): Point {
  let best: Point[] = [];
  for (const { x, y } of points) {
    const inside = points.filter((one) => Math.abs(one.x - x) <= width / 2 && Math.abs(one.y - y) <= height / 2);
    if (inside.length > best.length) best = inside;
  }
  const [xs, ys] = [best.map(({ x }) => x), best.map(({ y }) => y)];
  return { x: (Math.min(...xs) + Math.max(...xs)) / 2, y: (Math.min(...ys) + Math.max(...ys)) / 2 };
}

/** The arrow key that points most nearly the way from one point to another. */
export function arrowOf(from: Point, to: Point): Arrow {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  if (Math.abs(dx) > Math.abs(dy)) return dx > 0 ? "ArrowRight" : "ArrowLeft";
  return dy > 0 ? "ArrowDown" : "ArrowUp";
}
