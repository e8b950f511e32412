/** Texts, as sentences begin and end. */

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const sentence = (text: string): string => capital(text) + (/[.!?]$/.test(text) ? "" : ".");

const SHORT = 90; // characters that are read in passing

/** The beginning of a long text. */
export function shortened(text: string): string {
  const chars = [...text];
  return chars.length > SHORT ? `${chars.slice(0, SHORT).join("").trimEnd()} …` : text;
}

/** A number with the sign that books have for less than nothing, as the pictures of the games have it. */
export const signed = (number: number): string => String(number).replace("-", "−");
