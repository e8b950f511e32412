/** Links to tables, as people paste them. */

const LETTERS = "34679BCDFGHJKMNPQRSTVWXYZ"; // as in parlour.protocol.codes
const MEANT: Record<string, string> = { "2": "Z", "5": "S", "8": "B" };

/** The code that was typed; null if it cannot be one. */
export function readCode(text: string): string | null {
  const code = text
    .toUpperCase()
    .replace(/[\s-]/g, "")
    .replace(/[258]/g, (digit) => MEANT[digit] ?? digit);
  return code.length === 6 && [...code].every((letter) => LETTERS.includes(letter)) ? code : null;
}

/** A code as people read it. */
export const shownCode = (code: string): string => `${code.slice(0, 3)}-${code.slice(3)}`;

/** The path of a table that a link or an id names. */
export function tablePath(text: string): string | null {
  const found = /(?:^|\/table\/)([\w-]{4,32})(#[\w=&-]*)?$/.exec(text.trim());
  return found ? `/table/${found[1]}${found[2] ?? ""}` : null;
}
