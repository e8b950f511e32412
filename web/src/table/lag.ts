/** How long each move may take to be seen, so that the page is never far behind what it was told. */

/** A move that waits to be seen: when it was told, and the milliseconds that seeing it in full would take. */
export interface Waiting {
  at: number;
  takes: number;
  isWhole?: boolean; // to be followed, whatever comes after it: what your own turn has brought
}

const SHORTEST = 60; // milliseconds: what would be over sooner is left out
const APART = 700; // milliseconds after the one before it: then a move that nothing follows is seen in full
// By then all that wait have been seen, counted from when the last of them was told. Once that is over, each has EACH,
// but all together have no more than ALL.
const LATE = { fast: 300, normal: 1000 };
const EACH = { fast: 130, normal: 320 };
const ALL = { fast: 320, normal: 800 };
const WHOLE = { fast: 1500, normal: 4500 }; // the most that what is to be followed takes, and the latest that it begins

/**
 * The milliseconds that the first of those that wait may take; 0: it is left out. `before` is when the move before it
 * was told. What is left until the last has to be seen is shared out among them.
 */
export function timeFor(waiting: readonly Waiting[], before: number, now: number, speed: "fast" | "normal"): number {
  const [first] = waiting;
  const last = waiting.at(-1);
  if (!first || !last) return 0;
  if (first.isWhole && now - first.at < WHOLE[speed]) return Math.min(first.takes, WHOLE[speed]);
  if (first === last && first.at - before >= APART) return first.takes;
  const whole = waiting.reduce((sum, { takes }) => sum + takes, 0);
  const left = Math.max(Math.min(EACH[speed] * waiting.length, ALL[speed]), last.at + LATE[speed] - now);
  const time = Math.min(first.takes, (left * first.takes) / whole);
  return time >= SHORTEST ? time : 0;
}
