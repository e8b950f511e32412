/** Links to tables, as people paste them. */

/** The path of a table that a link or an id names. */
export function tablePath(text: string): string | null {
  const found = /(?:^|\/table\/)([\w-]{4,32})(#[\w=&-]*)?$/.exec(text.trim());
  return found ? `/table/${found[1]}${found[2] ?? ""}` : null;
}
