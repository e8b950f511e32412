/** What happened last, in a line below the board where the story is out of sight; a press tells more. When your turn
 * begins, it has what the others did to you. Until you have done something, it says what one plays for, everywhere. */

import { showDialog } from "../dialog";
import { fill, h } from "../dom";
import { t } from "../language";
import type { EventView, TableView } from "../protocol";
import { sentence } from "../text";
import { freshLines, isPlaying } from "./model";
import { storyLine } from "./story-and-chat";

const FIRST = 3; // plies of each seat, after which it is nobody's first turn any more
const FEW = 12; // lines that are told to whoever has not been here for a turn
const DONE_TO_YOU = 3; // lines about you that are told together

export class Latest {
  private readonly words = h("span", { class: "words" });
  readonly element = h(
    "button",
    { type: "button", class: "latest", hidden: true, "data-testid": "latest" },
    this.words,
  );
  private story: readonly string[] = [];
  private outcome: string[] = []; // of your last turn, up to where the next one was told
  private since: string[] = []; // what happened after that
  private readonly quiet = new Set<string>(); // lines that need not be told here
  private turn = -1;
  private wasYours = false;
  private hasActed = false; // in this turn of yours
  private hasPlayed: boolean | null = null;
  private mine: string | undefined; // your name

  /** `goal` is what one plays for, where the game says so. */
  constructor(private readonly goal: string) {
    this.element.addEventListener("click", () => this.tell());
  }

  /** This has happened, and will be drawn. */
  hear(events: readonly EventView[]): void {
    for (const { text, quiet } of events) if (quiet) this.quiet.add(text);
  }

  /** This is what moves now, of what your turn has brought. */
  show({ text, quiet }: EventView): void {
    this.hasPlayed = true;
    if (!quiet) this.say([text], true);
  }

  render(table: TableView, isYourTurn: boolean): void {
    this.mine = table.seats[table.you ?? -1]?.name;
    this.hasPlayed ??= (table.position?.ply ?? 0) > FIRST * table.seats.length;
    this.note(table.story, isYourTurn, table.position?.turn ?? -1);
    const isGoal = !this.hasPlayed && this.goal !== "" && isPlaying(table);
    this.element.hidden = table.phase !== "playing" || (!isGoal && table.story.length === 0);
    if (isGoal) this.sayGoal();
    else
      this.sayLast(
        isYourTurn && !this.hasActed,
        table.choices.some(({ way }) => way),
      );
  }

  private sayGoal(): void {
    fill(this.words, h("b", {}, t("goal")), " ", this.goal);
    this.element.classList.add("is-goal");
  }

  /** Where a turn is many orders, what came of yours is to be told when the next begins, too. */
  private sayLast(begins: boolean, hasOrders: boolean): void {
    const isTold = (line: string): boolean => !this.quiet.has(line);
    const toYou = [...(hasOrders ? this.outcome : []), ...this.since].filter(
      (line) => isTold(line) && this.isMine(line),
    );
    const done = begins ? toYou.slice(-DONE_TO_YOU) : [];
    const last = this.story.findLast(isTold) ?? "";
    this.say(done.length > 0 ? done : [last], done.length > 0);
  }

  private say(lines: readonly string[], isDone: boolean): void {
    this.words.textContent = lines.map(sentence).join(" ");
    this.element.classList.remove("is-goal");
    if (isDone) this.element.classList.add("is-done"); // for the whole turn, so that nothing below it moves
  }

  private isMine(line: string): boolean {
    return this.mine !== undefined && line.includes(this.mine);
  }

  private note(story: readonly string[], isYourTurn: boolean, turn: number): void {
    if (story === this.story && turn === this.turn) return;
    const fresh = freshLines(this.story, story);
    const isOver = this.wasYours && turn !== this.turn;
    if (this.wasYours && fresh.length > 0) this.hasPlayed = true;
    if (turn !== this.turn) {
      this.hasActed = false;
      this.element.classList.remove("is-done");
    } else if (this.wasYours) this.hasActed ||= fresh.some((line) => !this.quiet.has(line));
    const undone = Math.max(0, this.story.length - story.length);
    const isNew = isOver || this.turn < 0;
    this.since = isNew ? [] : [...this.since.slice(0, Math.max(0, this.since.length - undone)), ...fresh];
    if (isNew) this.outcome = fresh;
    this.wasYours = isYourTurn;
    this.turn = turn;
    this.story = story;
  }

  private tell(): void {
    const told = [...this.outcome, ...this.since];
    const lines = told.length > 0 ? told : this.story.slice(-FEW);
    const items = lines.map((line) => storyLine(sentence(line), this.isMine(line)));
    const list = h("ol", { class: "story" }, ...items);
    const goal = this.goal ? [h("p", { class: "goal" }, h("b", {}, t("goal")), " ", this.goal)] : [];
    showDialog(t("story"), t("close"), ...goal, list);
    items.at(-1)?.scrollIntoView({ block: "end" });
  }
}
