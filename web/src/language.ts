/** Which language the pages speak: the one chosen here, else the browser's, else English. */

import { de, refusals } from "./languages/de";
import { en, type Key, type Words } from "./languages/en";
import type { Hello } from "./protocol";
import { settings } from "./storage";
import { sentence } from "./text";

type Tag = NonNullable<Hello["language"]>;

interface Language {
  name: string;
  words: Words;
  refusals: Record<string, string>; // by code, in place of the server's sentence
}

export const LANGUAGES: Record<Tag, Language> = {
  en: { name: "English", words: en, refusals: {} },
  de: { name: "Deutsch", words: de, refusals },
};

/** The language in use. */
export function language(): Tag {
  const wanted = [settings().language, ...navigator.languages].map((tag) => tag.slice(0, 2).toLowerCase());
  return wanted.find(isKnown) ?? "en";
}

const isKnown = (tag: string): tag is Tag => tag in LANGUAGES;

/** What is said in the language in use; `{name}` stands for a value. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  const words = LANGUAGES[language()].words;
  return interpolate(words[key], values);
}

/** Why the server would not: in its own words, which are English, or in those of the language in use. */
export function refusal({ code, message }: { code: string; message: string }): string {
  return LANGUAGES[language()].refusals[code] ?? sentence(message);
}

/** Several names as one. */
export function joinNames(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length > 1 ? t("listed", { names: names.slice(0, -1).join(", "), last }) : last;
}

/** Fill the places of a text. */
export function interpolate(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}
