/** How a match ended, in words: the same at the table, in lists and in replays. */

import { h } from "./dom";
import { joinNames, t } from "./language";
import type { Ending } from "./protocol";
import { sentence } from "./text";

const FEW = 4; // winners that are named
const MANY = 3; // seats from which on the order is worth a list

/** What is known of a match that is over. */
export interface Result {
  ending: Ending | null;
  names: readonly string[];
  scores: readonly number[];
  scored: boolean; // whether scores mean something
  last: string | undefined; // what was told last
}

/** How it ended. Where no seat wins, the rules have the last word. */
export function verdict({ ending, names, last }: Result): string {
  if (!ending) return "";
  if (ending.reason === "rules" && ending.winners.length === 0 && last) return sentence(last);
  return endingText(ending, names);
}

/** Everybody in order, where there is one: winners first, then by score. */
export function standings({ ending, names, scores, scored }: Result): HTMLElement | null {
  if (!scored || names.length < MANY) return null;
  const won = (seat: number): number => (ending?.winners.includes(seat) ? 1 : 0);
  const score = (seat: number): number => scores[seat] ?? 0;
  const order = [...names.keys()].sort((a, b) => won(b) - won(a) || score(b) - score(a) || a - b);
  const lines = order.map((seat) => h("li", {}, h("span", {}, names[seat]), " ", h("b", {}, String(score(seat)))));
  return h("ol", { class: "standings", "data-testid": "standings", tabindex: "0" }, ...lines);
}

/** How it ended, where nothing else is known of the match. */
export function endingText({ reason, winners, text }: Ending, names: readonly string[]): string {
  if (reason === "upgrade") return t("endUpgrade");
  if (reason === "operator") return text; // in their own words
  if (reason === "agreed") return t("endAgreed");
  if (winners.length === 0) return t("endNobody");
  if (winners.length > FEW) return t("endMany", { count: winners.length });
  const who = joinNames(winners.map((seat) => names[seat] ?? ""));
  if (reason === "resigned") return t("endResigned", { names: who });
  return t(winners.length > 1 ? "endSeveral" : "endOne", { names: who });
}
