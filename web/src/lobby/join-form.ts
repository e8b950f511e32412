/** To come to a table that somebody told you of: by its code, or by a link. */

import * as api from "../api";
import { h, once } from "../dom";
import { t } from "../language";
import { readCode, tablePath } from "../links";
import { navigate } from "../page";
import { errorText } from "../pages/error";
import { toast } from "../toast";

export function joinForm(): HTMLElement {
  const input = h("input", {
    placeholder: t("joinPlaceholder"),
    "aria-label": t("joinPlaceholder"),
    autocapitalize: "characters",
    autocomplete: "off",
    spellcheck: "false",
    "data-testid": "join",
  });
  const submit = once(async () => {
    try {
      const code = readCode(input.value);
      const path = code ? await api.pathOfCode(code) : tablePath(input.value);
      if (path) await navigate(path);
      else toast(t("noLink"), "error");
    } catch (error) {
      const isWrong = error instanceof api.Refused && error.code === "not_found";
      toast(isWrong ? t("noSuchCode") : errorText(error), "error");
    }
  });
  return h(
    "form",
    { class: "row join", onsubmit: submit },
    input,
    h("button", { class: "quiet", type: "submit", "data-testid": "join-go" }, t("join")),
  );
}
