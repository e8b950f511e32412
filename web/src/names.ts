/** Names as the server takes them: so that a field can say what is wrong before anything is sent. */

import { t } from "./language";

export const LONGEST_NAME = 24; // characters that can be seen
const MOST = 300; // of which they may be made

const BLANK = /[\s\u115f\u1160\u2800\u3164\uffa0\u{1d159}]+/gu; // shown as nothing, whatever they are called
// Of signs that are joined to one, such as a family: all but the first.
const JOINED = /(?<=\p{So}\p{Emoji_Modifier}?\ufe0f?)\u200d\p{So}/gu;

/** How many characters people see: a letter with its accents is one, and so is a flag, or a family. */
export function seenLength(text: string): number {
  const plain = text.normalize("NFC").replace(BLANK, " ").trim().replace(JOINED, "");
  const shown = [...plain].filter((char) => !/[\p{M}\p{C}\p{Emoji_Modifier}]/u.test(char));
  const flags = shown.filter((char) => /\p{Regional_Indicator}/u.test(char)).length;
  return shown.length - Math.floor(flags / 2);
}

/** What is wrong with a name, in words; nothing if the server takes it. No name at all is a guest's. */
export function nameTrouble(name: string): string {
  if (seenLength(name) > LONGEST_NAME || [...name.trim()].length > MOST)
    return t("nameTooLong", { most: LONGEST_NAME });
  if (name.trim() && seenLength(name) === 0) return t("nameUnseen");
  return /\p{Ps}.*\p{Pe}/u.test(name) ? t("nameBrackets") : "";
}

/** Have a field say what is wrong with the name in it, while it is typed. */
export function checkName(input: HTMLInputElement): HTMLInputElement {
  const check = (): void => input.setCustomValidity(nameTrouble(input.value));
  input.addEventListener("input", () => {
    check();
    if (!input.validity.valid) input.reportValidity();
  });
  check();
  return input;
}
