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
      const known = ways.get(choice.way);
      if (known) known.push(choice);
      else ways.set(choice.way, [choice]);
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

  /** The choices from a square that way, for one, two, three and so on. */
  from(square: string, way: string): readonly ChoiceView[] {
    return this.by.get(square)?.get(way) ?? [];
  }

  /** The order that an action gives. */
  given(action: number): Given | null {
    for (const [from, ways] of this.by) {
      for (const [way, choices] of ways) {
        const place = choices.findIndex((choice) => choice.action === action);
        const to = choices[place]?.picks?.[1];
        if (to !== undefined) return { from, to, way, count: place + 1, isAll: place + 1 === choices.length };
      }
    }
    return null;
  }

  /** The same orders once more: as many from the same squares, and where nobody is left there, those who went go on. */
  again(last: readonly Given[]): number[] {
    const found = new Map<string, number>(); // by square and way
    const sent = new Map<string, number>(); // by square
    for (const { from, to, way, count, isAll } of last) {
      const square = this.from(from, way).length > 0 ? from : to;
      const choices = this.from(square, way);
      const left = choices.length - (sent.get(square) ?? 0);
      const wanted = isAll ? left : Math.min(count, left);
      const choice = choices[wanted - 1];
      const key = `${square} ${way}`;
      if (!choice || found.has(key)) continue;
      found.set(key, choice.action);
      sent.set(square, (sent.get(square) ?? 0) + wanted);
    }
    return [...found.values()];
  }

  /** One action for each of these squares that can go that way. */
  actions(squares: Iterable<string>, way: string, amount: Amount): number[] {
    const found: number[] = [];
    for (const square of squares) {
      const choice = portion(this.from(square, way), amount);
      if (choice) found.push(choice.action);
    }
    return found;
  }
}

/** An order that was given: where from, where to, which way, and how many of how many. */
export interface Given {
  from: string;
  to: string;
  way: string;
  count: number;
  isAll: boolean;
}

/** Of choices that go from one to many: the last, the middle or the first. */
export function portion(choices: readonly ChoiceView[], amount: Amount): ChoiceView | undefined {
  if (amount === "all") return choices[choices.length - 1];
  return amount === "one" ? choices[0] : choices[Math.ceil(choices.length / 2) - 1];
}
