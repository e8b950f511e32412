/** Orders for many squares at once, in games whose choices have a way: select squares, then say which way, and how
 * much of what each could send. */

import type { ChoiceView } from "./protocol";

export type Amount = "all" | "half" | "one";
export const AMOUNTS: readonly Amount[] = ["all", "half", "one"];

/** The choices that have a way, by square and way; of each, from the least to the most. */
export class Orders {
  private readonly by = new Map<string, Map<string, ChoiceView[]>>();

  constructor(choices: readonly ChoiceView[]) {
    for (const choice of choices) {
      const square = choice.picks?.[0];
      if (!choice.way || square === undefined) continue;
      const ways = this.by.get(square) ?? new Map<string, ChoiceView[]>();
      this.by.set(square, ways);
      ways.set(choice.way, [...(ways.get(choice.way) ?? []), choice]);
    }
  }

  get squares(): string[] {
    return [...this.by.keys()];
  }

  get exist(): boolean {
    return this.by.size > 0;
  }

  /** The ways there are, each with a square that it leads from and the spot that it leads to. */
  ways(): Map<string, { from: string; to: string }> {
    const found = new Map<string, { from: string; to: string }>();
    for (const [from, ways] of this.by) {
      for (const [way, choices] of ways) {
        const to = choices[0]?.picks?.[1];
        if (to !== undefined && !found.has(way)) found.set(way, { from, to });
      }
    }
    return found;
  }

  /** One action for each of these squares that can go that way. */
  actions(squares: Iterable<string>, way: string, amount: Amount): number[] {
    const found: number[] = [];
    for (const square of squares) {
      const choice = portion(this.by.get(square)?.get(way) ?? [], amount);
      if (choice) found.push(choice.action);
    }
    return found;
  }
}

/** Of choices that go from one to many: the last, the middle or the first. */
export function portion(choices: readonly ChoiceView[], amount: Amount): ChoiceView | undefined {
  if (amount === "all") return choices[choices.length - 1];
  return amount === "one" ? choices[0] : choices[Math.ceil(choices.length / 2) - 1];
}
