/** Which spots name which choice. Nothing here knows a game, or the page. */

import type { ChoiceView } from "./protocol";

const spotsOf = (choice: ChoiceView): string[] => choice.picks ?? [];
const key = (spots: readonly string[]): string => spots.join("\n");

/** The choices by how they are made: `buttons` have no spots; `paths` are picked spot after spot; of `sets`, any
 * number of spots is switched on and off, and then confirmed. */
export interface Kinds {
  buttons: ChoiceView[];
  paths: ChoiceView[];
  sets: ChoiceView[];
}

/** A choice is a set if it has more than two spots, or if its spots are the beginning of another one's: then no pick
 * can tell that it is the last. So is every other choice among the same spots. */
export function kinds(choices: readonly ChoiceView[]): Kinds {
  const known = new Set(choices.map((choice) => key(spotsOf(choice))));
  const isLong = (spots: readonly string[]): boolean =>
    spots.length > 2 || spots.some((_, length) => length > 0 && known.has(key(spots.slice(0, length))));
  const switched = new Set(choices.map(spotsOf).filter(isLong).flat());
  const found: Kinds = { buttons: [], paths: [], sets: [] };
  for (const choice of choices) {
    const spots = spotsOf(choice);
    if (spots.length === 0) found.buttons.push(choice);
    else if (spots.every((spot) => switched.has(spot))) found.sets.push(choice);
    else found.paths.push(choice);
  }
  return found;
}

/** What a pick led to: nothing, another selection, or choices of which one is meant. */
export type Outcome = { kind: "nothing" } | { kind: "changed" } | { kind: "done"; choices: ChoiceView[] };

const NOTHING: Outcome = { kind: "nothing" };
const CHANGED: Outcome = { kind: "changed" };

/** What is selected on the board so far, of choices that are open. */
export class Selection {
  readonly kinds: Kinds;
  picked: string[] = [];
  switched = new Set<string>();
  private readonly inSets: Set<string>;

  constructor(readonly choices: readonly ChoiceView[]) {
    this.kinds = kinds(choices);
    this.inSets = new Set(this.kinds.sets.flatMap(spotsOf));
  }

  /** The spots that can be picked after those picked already. */
  next(picked: readonly string[] = this.picked): Set<string> {
    const found = new Set<string>();
    for (const choice of this.kinds.paths) {
      const spots = spotsOf(choice);
      const spot = spots[picked.length];
      if (spot !== undefined && picked.every((pick, place) => spots[place] === pick)) found.add(spot);
    }
    return found;
  }

  /** Every spot for which a click does something. */
  open(): Set<string> {
    return new Set([...this.next(), ...this.next([]), ...this.inSets, ...this.picked]);
  }

  /** The choices that are named in full by these spots. */
  named(picked: readonly string[]): ChoiceView[] {
    return this.kinds.paths.filter((choice) => key(spotsOf(choice)) === key(picked));
  }

  /** The choice that the switched spots make. */
  get set(): ChoiceView | undefined {
    const wanted = key([...this.switched].sort());
    return this.kinds.sets.find((choice) => key([...spotsOf(choice)].sort()) === wanted);
  }

  /** What the spot would do, for whoever cannot see it: the labels of the choices that it makes. */
  labels(spot: string): string[] {
    const path = this.next().has(spot) ? [...this.picked, spot] : [spot];
    return this.named(path).map((choice) => choice.label || choice.text);
  }

  pick(spot: string): Outcome {
    if (this.next().has(spot)) return this.goOn([...this.picked, spot]);
    if (this.picked.includes(spot)) return this.cancel();
    if (this.inSets.has(spot)) return this.toggle(spot);
    return this.next([]).has(spot) ? this.goOn([spot]) : NOTHING;
  }

  cancel(): Outcome {
    if (this.picked.length === 0 && this.switched.size === 0) return NOTHING;
    this.picked = [];
    this.switched.clear();
    return CHANGED;
  }

  private goOn(picked: string[]): Outcome {
    this.picked = picked;
    const choices = this.named(picked);
    return choices.length > 0 ? { kind: "done", choices } : CHANGED;
  }

  private toggle(spot: string): Outcome {
    this.picked = [];
    if (!this.switched.delete(spot)) this.switched.add(spot);
    return CHANGED;
  }
}
