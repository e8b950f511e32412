/** To come to a table that somebody told you of: by its code, or by a link. */

import * as api from "../api";
import { h, once } from "../dom";
import { t } from "../language";
import { readCode, tablePath } from "../links";
import { navigate } from "../page";
import { errorText } from "../pages/error";
import { toast } from "../toast";

const isMissing = (error: unknown): boolean => error instanceof api.Refused && error.code === "not_found";

/** Go to the table that is meant; says what is wrong if there is none. */
async function goTo(text: string): Promise<string> {
  const code = readCode(text);
  try {
    const path = code ? await api.pathOfCode(code) : tablePath(text);
    if (!path) return t("noLink");
    if (!code) await api.look(path.replace(/^\/table\/|#.*$/g, ""));
    await navigate(path);
    return "";
  } catch (error) {
    if (isMissing(error)) return t(code ? "noSuchCode" : "noLink");
    toast(errorText(error), "error");
    return "";
  }
}

export function joinForm(): HTMLElement {
  const input = h("input", {
    placeholder: t("joinPlaceholder"),
    "aria-label": t("joinPlaceholder"),
    autocapitalize: "characters",
    autocomplete: "off",
    spellcheck: "false",
    "data-testid": "join",
  });
  input.addEventListener("input", () => input.setCustomValidity(""));
  const submit = once(async () => {
    input.setCustomValidity(await goTo(input.value));
    input.reportValidity();
  });
  return h(
    "form",
    { class: "row join", onsubmit: submit },
    input,
    h("button", { class: "quiet", type: "submit", "data-testid": "join-go" }, t("join")),
  );
}
