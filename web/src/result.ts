/** How a match ended, in words: the same at the table, in lists and in replays. */

import { h } from "./dom";
import { joinNames, language, t } from "./language";
import type { Ending, Mark, Rival } from "./protocol";
import { seatBadge } from "./table/seats";
import { capital, sentence, signed } from "./text";

const FEW = 4; // winners that are named

/** What is known of a match that is over. */
export interface Result {
  ending: Ending | null;
  names: readonly string[];
  scores: readonly number[];
  scored: boolean; // whether scores mean something
}

/** A line of the standings. Who shares a place is as good as the others there. */
export interface Standing {
  place: number;
  seat: number | null; // whose it is, if it has one
  name: string;
  score: number;
}

/** How it ended. Where the seats that have won do not tell all, the game has the last word. */
export function verdict(ending: Ending | null, names: readonly string[]): string {
  if (!ending) return "";
  const { reason, winners, text } = ending;
  if (reason === "upgrade") return t("endUpgrade");
  if (reason === "operator") return text || t("endOperator"); // in their own words, which no file has
  if (reason === "agreed") return t("endAgreed");
  const told = ending.told?.[language()]?.text ?? (winners.length === 0 ? text : "");
  if (told) return sentence(told);
  if (winners.length === 0) return t("endNobody");
  if (winners.length > FEW) return t("endMany", { count: winners.length });
  const who = joinNames(winners.map((seat) => names[seat] ?? ""));
  if (reason === "resigned") return t("endResigned", { names: who });
  return t(winners.length > 1 ? "endSeveral" : "endOne", { names: who });
}

/** Everybody in order: winners first, those without a seat among them, then by score. */
export function order({ ending, names, scores }: Result): Standing[] {
  const rivals: readonly Rival[] = ending?.told?.[language()]?.rivals ?? [];
  const entrants = [
    ...names.map((name, seat) => ({ seat, name, count: 1, score: scores[seat] ?? 0, won: isWinner(ending, seat) })),
    ...rivals.map(({ words, count, score }) => ({ seat: null, name: capital(words), count, score, won: true })),
  ].sort((a, b) => Number(b.won) - Number(a.won) || b.score - a.score);
  let before = 0; // who have a better place, or come first in the same one
  let place = 1;
  return entrants.map(({ seat, name, count, score, won }, line) => {
    const above = entrants[line - 1];
    if (above && (above.won !== won || above.score !== score)) place = before + 1;
    before += count;
    return { place, seat, name, score };
  });
}

const isWinner = (ending: Ending | null, seat: number): boolean => ending?.winners.includes(seat) ?? false;

/** The order as a list, where there is one, with the signs of the seats. */
export function standings(result: Result, marks: readonly Mark[]): HTMLElement | null {
  const all = order(result);
  if (!result.scored || all.length < 2) return null;
  const lines = all.map(({ seat, place, name, score }) =>
    h(
      "li",
      { value: place, class: place === 1 ? "is-first" : "" },
      seat === null ? null : seatBadge(marks[seat]),
      h("span", {}, name),
      " ",
      h("b", {}, signed(score)),
    ),
  );
  return h("ol", { class: "standings", "data-testid": "standings", tabindex: "0" }, ...lines);
}
