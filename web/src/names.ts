/** Names as the server takes them: so that a field can say what is wrong before anything is sent. */

import { t } from "./language";

export const LONGEST_NAME = 24; // characters that can be seen

/** How many characters people see: a letter with its accents is one, and so is a flag. */
export function seenLength(text: string): number {
  const shown = [...text.normalize("NFC").trim()].filter((char) => !/[\p{M}\p{C}\p{Emoji_Modifier}]/u.test(char));
  const flags = shown.filter((char) => /\p{Regional_Indicator}/u.test(char)).length;
  return shown.length - Math.floor(flags / 2);
}

/** What is wrong with a name, in words; nothing if the server takes it. No name at all is a guest's. */
export function nameTrouble(name: string): string {
  if (seenLength(name) > LONGEST_NAME) return t("nameTooLong", { most: LONGEST_NAME });
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
