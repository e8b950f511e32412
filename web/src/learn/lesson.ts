/** Learning a game: step by step on real positions, then a match against the easiest bot. */

import { Refused } from "../api";
import { Board } from "../board";
import { fill, h, ICONS, icon, once } from "../dom";
import { Explainer } from "../explain";
import { faceIcon } from "../faces";
import { t } from "../language";
import { company } from "../lobby/play-button";
import { Motion } from "../motion";
import { changeAddress, type Page } from "../page";
import { errorText } from "../pages/error";
import { openAndSit } from "../pages/open-table";
import type { Explanation, GameView, HintLine, LessonAnswer, LessonStepView, LessonView } from "../protocol";
import { RulebookPanel } from "../rulebook-panel";
import { sound } from "../sound";
import { settings } from "../storage";
import { ChoicePanel, type Chosen } from "../table/choices";
import { withTimeout } from "../timeout";
import * as api from "./api";
import { guide } from "./guided";

const LONGEST = 5000; // milliseconds that one move may take to be seen
const AGAIN = 1500; // milliseconds until a server that could not be reached is asked again

export async function learn(game: GameView): Promise<Page> {
  const lesson = await api.lesson(game.name);
  const number = Math.min(askedStep(), lesson.steps - 1);
  return new LessonPage(game, lesson, number, await api.step(game.name, number));
}

/** The step that the address asks for, counted from 0: whoever loads the page anew goes on where they were. */
function askedStep(): number {
  const asked = Number(new URLSearchParams(location.search).get("step"));
  return Number.isSafeInteger(asked) && asked > 0 ? asked - 1 : 0;
}

class LessonPage implements Page {
  readonly element: HTMLElement;
  readonly wide = true;
  readonly title: string;
  private shown = 0; // how often the choices were set: what ChoicePanel waits for
  private isDone = false;
  private motion: Motion | null = null;
  private readonly board: Board;
  private readonly choices: ChoicePanel;
  private readonly rulebook: RulebookPanel;
  private readonly explainer: Explainer;
  private readonly goal = h("p", { class: "goal", "data-testid": "goal" });
  private readonly task = h("p", { class: "task", tabindex: -1, "data-testid": "task" });
  private readonly answer = h("div", { class: "answer", role: "status", tabindex: -1, "data-testid": "answer" });
  // Until the explanation comes, with what was played on the board.
  private readonly waiting = h(
    "p",
    { class: "played", role: "status", hidden: true, "data-testid": "played" },
    icon("M5 13l5 5L20 7"),
    h("span", {}, t("playedRight")),
  );
  private readonly progress = h("p", { class: "faint", "data-testid": "progress" });
  private readonly bar = h("progress", { "aria-hidden": "true" });
  private readonly buttons = h("div", { class: "row" });
  private readonly trouble = h("p", { class: "banner", role: "status", hidden: true, "data-testid": "trouble" });
  private asking = new AbortController(); // the server: aborted by the next question

  constructor(
    private readonly game: GameView,
    private readonly lesson: LessonView,
    private number: number,
    private step: LessonStepView,
  ) {
    this.title = `${t("learnGame", { title: lesson.title })} · Parlour`;
    this.board = new Board(lesson.title, (spot, options) => this.choices.pick(spot, options));
    this.choices = new ChoicePanel(this.board, (_, chosen) => this.act(chosen));
    this.rulebook = new RulebookPanel(lesson.game);
    this.explainer = new Explainer(this.board, {
      explain: (name) => api.explainInStep(lesson.game, this.number, name),
      whyNot: (tried) => this.whyNot(tried),
      picked: () => this.choices.picked,
      isChoosing: () => !this.isDone,
      openClause: (clause) => void this.rulebook.open(clause),
    });
    this.explainer.tellOf(this.choices.element, this.choices.lastSpot);
    this.choices.onMissed = (tried) => void this.explainer.answer(tried);
    this.element = this.arrange();
    new ResizeObserver(() => this.letScroll()).observe(this.task);
    this.board.setGround(lesson.size, lesson.backdrop);
    this.show();
  }

  private arrange(): HTMLElement {
    const head = h(
      "div",
      { class: "table-head" },
      h("h1", {}, t("learnGame", { title: this.lesson.title })),
      this.board.drawer.button,
      this.explainer.button,
      this.rulebook.link(),
    );
    const teacher = h(
      "section",
      { class: "teacher", "aria-label": t("learn") },
      h("div", { class: "progress" }, this.progress, this.bar),
      this.goal,
      this.task,
    );
    const below = h(
      "section",
      { class: "doing" },
      this.choices.element,
      this.trouble,
      this.waiting,
      this.answer,
      this.buttons,
    );
    const middle = h("div", { class: "middle" }, this.board.element);
    return h("div", { class: "lesson", "data-testid": "lesson" }, head, teacher, middle, below, this.rulebook.element);
  }

  /** A task that scrolls can be scrolled by keys; one that does not is no stop of the Tab key. */
  private letScroll(): void {
    this.task.tabIndex = this.task.scrollHeight > this.task.clientHeight ? 0 : -1;
  }

  leave(): void {
    this.motion?.end();
    this.rulebook.close();
    this.asking.abort();
  }

  key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.key === "Escape" && !this.explainer.close()) this.choices.cancel();
    else if (event.key === "w") this.explainer.toggle();
    else if (event.key !== "Escape") return;
    event.preventDefault();
  }

  /** Ask the server, again and again while it cannot be reached. Null if it refuses, or something else is asked. */
  private async ask<T>(question: () => Promise<T>): Promise<T | null> {
    this.asking.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    const ended = new Promise<null>((end) => signal.addEventListener("abort", () => end(null)));
    while (!signal.aborted) {
      try {
        const answer = await Promise.race([question(), ended]);
        if (!signal.aborted) this.trouble.hidden = true;
        return answer;
      } catch (error) {
        const isLost = error instanceof Refused && error.code === "offline";
        this.trouble.textContent = isLost ? t("lessonWaits") : errorText(error);
        this.trouble.hidden = false;
        if (!isLost) return null;
        await Promise.race([new Promise((wake) => setTimeout(wake, AGAIN)), ended]);
      }
    }
    return null;
  }

  /** Why something cannot be done. What was said of an earlier try is not about this one. */
  private whyNot(tried: readonly string[]): Promise<Explanation> {
    fill(this.answer);
    return api.whyNotInStep(this.lesson.game, this.number, tried);
  }

  // A step.

  private async go(number: number): Promise<void> {
    const step = await this.ask(() => api.step(this.lesson.game, number));
    if (!step) return;
    this.step = step;
    this.number = number;
    this.show();
    changeAddress(`${location.pathname}?step=${number + 1}`);
    this.task.scrollIntoView({ block: "nearest" });
  }

  private show(): void {
    const { number, lesson, step } = this;
    this.motion?.end();
    this.isDone = false;
    this.explainer.hide();
    this.progress.textContent = t("stepOf", { number: number + 1, count: lesson.steps });
    this.bar.max = lesson.steps;
    this.bar.value = number + 1;
    fill(this.goal, h("b", {}, t("goal")), " ", lesson.goal);
    this.goal.hidden = number > 0 || !lesson.goal;
    this.task.textContent = step.text;
    this.element.dataset.step = String(number);
    fill(this.answer);
    this.tellAll();
    this.board.setScene(step.position.scene ?? "");
    this.offer();
    this.showButtons();
  }

  /** What was to come is told now. */
  private tellAll(): void {
    for (const part of [this.answer, this.buttons]) part.classList.remove("is-to-come");
    this.waiting.hidden = true;
  }

  private offer(): void {
    this.shown += 1;
    const { prompt, right } = this.step;
    const asked = this.step.choices.map((choice) => ({ ...choice, usual: right.includes(choice.action) }));
    this.element.classList.toggle("is-done", this.isDone);
    this.choices.element.hidden = this.isDone;
    const choices = this.isDone ? [] : asked;
    this.choices.set({ number: this.shown, ply: this.shown, choices, last: [], status: "", prompt, asked: right });
  }

  private showButtons(): void {
    const { number, lesson } = this;
    const isLast = number === lesson.steps - 1;
    const button = (words: string, testid: string, kind: string, act: () => Promise<void>): HTMLElement =>
      h("button", { type: "button", class: kind, "data-testid": testid, onclick: once(act) }, words);
    const parts = [
      number > 0 && button(t("stepEarlier"), "step-back", "quiet", () => this.go(number - 1)),
      !this.isDone &&
        button(t("showStep"), "show-me", "quiet", async () => this.choices.showHints(this.hints(), t("stepAsks"))),
      !isLast &&
        button(this.isDone ? t("stepNext") : t("stepSkip"), "step-next", this.isDone ? "brass" : "quiet", () =>
          this.go(number + 1),
        ),
      isLast && button(t("playEasiest"), "play-easiest", this.isDone ? "brass" : "quiet", () => this.play()),
    ];
    fill(this.buttons, ...parts);
  }

  /** The right actions, as a hint shows them. */
  private hints(): HintLine[] {
    const right = this.step.choices.filter(({ action }) => this.step.right.includes(action)).slice(0, 1);
    return right.map(({ action, text }) => ({ action, text, chance: 0, tries: 0 }));
  }

  private async act(chosen: Chosen): Promise<number | null> {
    const action = "action" in chosen ? chosen.action : (chosen.actions[0] ?? 0);
    const said = await this.ask(() => api.tryAction(this.lesson.game, this.number, action));
    if (!said) return null;
    this.say(said);
    if (!said.right) {
      sound("error");
      return null;
    }
    this.isDone = true;
    this.offer();
    for (const part of [this.answer, this.buttons]) part.classList.add("is-to-come"); // it keeps its room
    this.waiting.hidden = false;
    void this.playOut(said);
    this.showButtons();
    return this.shown;
  }

  private say({ right, text, clause }: LessonAnswer): void {
    const open = (): void => void this.rulebook.open(clause);
    const link = h("button", { type: "button", class: "link", "data-testid": "clause", onclick: open });
    link.textContent = t("clause", { clause });
    const sign = right ? icon("M5 13l5 5L20 7") : icon(ICONS.hint);
    const words = h("p", {}, text, " ", clause > 0 && link);
    fill(this.answer, h("div", { class: right ? "is-right" : "is-other" }, sign, words));
  }

  /** Show what was played, ply by ply; where motion takes too long, without it. */
  private async playOut(said: LessonAnswer): Promise<void> {
    const { number } = this;
    for (const { events, position } of said.moves) {
      const motion = new Motion(this.board, settings().speed, sound);
      this.motion = motion;
      await withTimeout(motion.play(events), LONGEST).catch(() => undefined);
      motion.end();
      if (number !== this.number || !this.isDone) return;
      this.board.setScene(position.scene ?? "");
    }
    this.tellAll();
    this.say(said); // once more, for those who listen: what could not be seen was not read to them
    this.buttons.querySelector<HTMLElement>(".brass")?.focus({ preventScroll: true });
    if (this.number === this.lesson.steps - 1) this.celebrate();
  }

  private celebrate(): void {
    if (this.game.faces.length === 0) return;
    const words =
      this.game.faces.length > 1
        ? t("lessonDone", { company: company(this.game, this.lesson.seats, this.lesson.bot) })
        : t("lessonDoneCompany");
    this.answer.append(
      h("div", { class: "lesson-done", "data-testid": "lesson-done" }, faceIcon(0), h("p", {}, words)),
    );
    this.answer.scrollTop = 0; // on a phone it stands before what was said
  }

  /** A match against the easiest bot, with a hint at every turn. */
  private async play(): Promise<void> {
    const { game, seats, options, bot } = this.lesson;
    const bots: Record<string, string> = {};
    for (let seat = 1; seat < seats; seat += 1) bots[String(seat)] = bot;
    await openAndSit(
      { game, seats, options, bots, hints: true, public: false },
      settings().name,
      {},
      { opened: guide },
    );
  }
}
