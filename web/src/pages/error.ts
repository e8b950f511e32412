/** The pages for addresses that lead nowhere, and for what went wrong; and errors in words. */

import { Refused } from "../api";
import { h } from "../dom";
import { isHere } from "../house";
import { refusal, t } from "../language";
import type { Page } from "../page";
import { toast } from "../toast";

function errorPage(title: string, text: string, ...more: Node[]): Page {
  const element = h(
    "section",
    { class: "sorry", "data-testid": "sorry" },
    h("p", { class: "ornament", "aria-hidden": "true" }, "❦"),
    h("h1", {}, title),
    h("p", {}, text),
    h("p", { class: "row" }, ...more, h("a", { href: "/", class: "button brass" }, t("toLobby"))),
  );
  return { title: `${title} · Parlour`, element };
}

export function notFound(): Page {
  return errorPage(t("notFound"), t("notFoundText"));
}

/** What went wrong, said as plainly as it is known. */
export function failure(error: unknown): Page {
  if (error instanceof Refused && error.code === "not_found") return errorPage(t("notFound"), refusal(error));
  const again = (): void => location.reload();
  const retry = h("button", { type: "button", class: "quiet", onclick: again }, t("tryAgain"));
  if (!isOffline(error)) return errorPage(t("trouble"), errorText(error), retry);
  if (isHere) return errorPage(t("trouble"), t("engineTrouble"), retry);
  const words = `${t(navigator.onLine ? "offline" : "noNetwork")} ${t("comesBack")}`;
  return { ...errorPage(t("noConnection"), words, retry), isLost: true };
}

const isChunk = (error: unknown): boolean => error instanceof TypeError && /module|import/i.test(error.message);

/** Whether it went wrong because the server cannot be reached. */
function isOffline(error: unknown): boolean {
  return error instanceof Refused ? error.code === "offline" : isChunk(error) && !navigator.onLine;
}

/** Say what went wrong: at the field of a name, if that is what the server refuses. */
export function sayTrouble(error: unknown, name?: HTMLInputElement): void {
  if (name && error instanceof Refused && error.code === "bad_name") {
    name.setCustomValidity(errorText(error));
    name.reportValidity();
  } else toast(errorText(error), "error");
}

/** An error in words for people. */
export function errorText(error: unknown): string {
  if (isOffline(error)) return t(isHere ? "engineTrouble" : navigator.onLine ? "offline" : "noNetwork");
  if (error instanceof Refused) return refusal(error);
  if (isChunk(error)) return t("chunkMissing");
  return error instanceof Error ? error.message : String(error);
}
