/** Which language the pages speak: the one chosen here, else the browser's, else English. */

import { de } from "./languages/de";
import { en, type Key, type Words } from "./languages/en";
import { settings } from "./memory";

export const LANGUAGES: Record<string, { name: string; words: Words }> = {
  en: { name: "English", words: en },
  de: { name: "Deutsch", words: de },
};

/** The language in use. */
export function language(): string {
  const wanted = [settings().language, ...navigator.languages].map((tag) => tag.slice(0, 2).toLowerCase());
  return wanted.find((tag) => tag in LANGUAGES) ?? "en";
}

/** What is said in the language in use; `{name}` stands for a value. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  const words = LANGUAGES[language()]?.words ?? en;
  return put(words[key], values);
}

/** Fill the places of a text. */
export function put(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}
