/** What happened last, in a line below the board where the story is out of sight; a press tells more. Until one's first
 * turn is over it says what one plays for, everywhere. */

import { showDialog } from "../dialog";
import { fill, h } from "../dom";
import { t } from "../language";
import type { TableView } from "../protocol";
import { sentence } from "../text";
import { isPlaying } from "./model";

const FIRST = 3; // plies of each seat, after which it is nobody's first turn any more
const FEW = 12; // lines that are told to whoever has not been here for a turn

export class Latest {
  readonly element = h("button", { type: "button", class: "latest", hidden: true, "data-testid": "latest" });
  private story: readonly string[] = [];
  private since: string[] = []; // what happened since your last turn, with what came of it
  private wasYours = false;
  private hasPlayed: boolean | null = null;

  /** `goal` is what one plays for, where the game says so. */
  constructor(private readonly goal: string) {
    this.element.addEventListener("click", () => this.tell());
  }

  render(table: TableView, isYourTurn: boolean): void {
    this.hasPlayed ??= (table.position?.ply ?? 0) > FIRST * table.seats.length;
    this.note(table.story, isYourTurn);
    const isGoal = !this.hasPlayed && this.goal !== "" && isPlaying(table);
    const last = table.story.at(-1);
    this.element.hidden = table.phase !== "playing" || (!isGoal && !last);
    this.element.classList.toggle("is-goal", isGoal);
    if (isGoal) fill(this.element, h("b", {}, t("goal")), " ", this.goal);
    else this.element.textContent = sentence(last ?? "");
  }

  private note(story: readonly string[], isYourTurn: boolean): void {
    const fresh = story.slice(this.story.length);
    const isDone = this.wasYours && !isYourTurn;
    this.hasPlayed ||= isDone;
    this.since = isDone ? fresh : [...this.since, ...fresh];
    this.wasYours = isYourTurn;
    this.story = story;
  }

  private tell(): void {
    const lines = this.since.length > 0 ? this.since : this.story.slice(-FEW);
    const list = h("ol", { class: "story" }, ...lines.map((line) => h("li", {}, sentence(line))));
    const goal = this.goal ? [h("p", { class: "goal" }, h("b", {}, t("goal")), " ", this.goal)] : [];
    showDialog(t("story"), t("close"), ...goal, list);
  }
}
