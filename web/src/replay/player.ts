/** A match played again: a slider, keys, speed, a link to a ply, and downloads. */

import { Board, NO_MARKS } from "../board";
import { fill, h, ICONS, icon, iconButton } from "../dom";
import { isHere } from "../house";
import { t } from "../language";
import { Motion } from "../motion";
import { changeAddress } from "../page";
import { errorText } from "../pages/error";
import type { Curve, Frame, Frames, Summary } from "../protocol";
import { standings, verdict } from "../result";
import { sound } from "../sound";
import { saveSettings, settings } from "../storage";
import { seatBadge } from "../table/seats";
import { signed } from "../text";
import { withTimeout } from "../timeout";
import { toast } from "../toast";
import { fullButton, leaveFull, zoomButtons, zoomKeys } from "../zoom";
import { Course } from "./course";
import { downloadButtons } from "./downloads";
import { FrameCache, type LoadFrames } from "./frame-cache";
import { MoveList } from "./move-list";

/** Where a replay comes from. */
export interface ReplaySource {
  load: LoadFrames;
  summary(signal: AbortSignal): Promise<Summary>;
  chances(signal: AbortSignal): Promise<Curve>;
  text(): Promise<string>; // the replay file
  path: string | null; // its address, if it has one
}

const PAUSES: Record<string, number> = { "0.5": 2200, "1": 1100, "2": 500, "4": 200 };
const USUAL_PAUSE = 1100;
const WITH_MOTION = 300; // milliseconds from ply to ply that leave time to see things move
const LONGEST = 5000; // milliseconds that one ply may move
const SEATS = 40; // that are listed

export class Player {
  readonly element: HTMLElement;
  readonly title: string;
  private ply = 0;
  private drawn = -1; // the ply of the picture
  private frame: Frame | null = null; // what it was drawn from
  private showing = new AbortController(); // aborted by the next showing
  private playing: AbortController | null = null;
  private readonly left = new AbortController();
  private readonly board: Board;
  private readonly slider = h("input", {
    type: "range",
    min: 0,
    "aria-label": t("scrubber"),
    "data-testid": "scrubber",
  });
  private readonly story = h("ol", {
    class: "story",
    "data-testid": "replay-story",
    "aria-live": "polite",
  });
  private readonly result = h("div", { class: "result", hidden: true, "data-testid": "result" });
  private readonly told = h("div", { class: "told" }, this.story);
  private readonly doubted = h("p", { hidden: true, role: "alert", "data-testid": "doubted" });
  private summary: Summary | null = null;
  private hasWatched = false; // the last position was shown
  private moves: MoveList | null = null;
  private readonly course: Course;
  private readonly seats = h("ol", { class: "seats" });
  private readonly count = h("output", { class: "ply", "data-testid": "ply" });
  private readonly toggle = iconButton(ICONS.play, t("play"), {
    "data-testid": "play",
    onclick: () => this.playOrPause(),
  });
  private readonly speed = h("select", { "aria-label": t("speed"), "data-testid": "replay-speed" });

  static async load(source: ReplaySource, ply: number): Promise<Player> {
    const frames = new FrameCache(source.load);
    const head = await frames.open(ply, new AbortController().signal);
    if (ply > head.plies) toast(t("noSuchPly", { ply, plies: head.plies }));
    return new Player(source, frames, head, ply);
  }

  private constructor(
    private readonly source: ReplaySource,
    private readonly frames: FrameCache,
    private readonly head: Frames,
    ply: number,
  ) {
    this.title = head.title;
    this.board = new Board(head.title, () => undefined);
    this.board.setGround(head.size, head.backdrop);
    this.slider.max = String(head.plies);
    this.slider.addEventListener("input", () => this.jump(this.slider.valueAsNumber));
    for (const speed of Object.keys(PAUSES)) {
      this.speed.append(h("option", { value: speed, selected: speed === "1" }, `${speed}×`));
    }
    const chances = (): Promise<Curve> => source.chances(this.left.signal);
    this.course = new Course(head, chances, (to) => this.jump(to));
    this.element = this.arrange();
    void this.show(ply);
    void this.summarise();
  }

  private arrange(): HTMLElement {
    const { head } = this;
    const names = h("span", { class: "faint" }, head.names.slice(0, 4).join(", "));
    const downloads = downloadButtons({
      head,
      link: isHere ? null : this.source.path && location.origin + this.source.path,
      ply: () => this.ply,
      delay: () => Math.min(this.pause, 900),
      frame: (ply) => this.frames.frame(ply, this.left.signal),
      text: () => this.source.text(),
      signal: this.left.signal,
    });
    return h(
      "div",
      { class: "table replay", "data-testid": "replay" },
      h(
        "div",
        { class: "play" },
        h("div", { class: "table-head" }, h("h1", {}, head.title), names, this.board.drawer.button),
        this.seats,
        h("div", { class: "middle" }, this.board.element),
        h("div", { class: "doing" }, this.controls()),
      ),
      this.doubted,
      head.old_rules && h("p", { class: "faint", "data-testid": "old-rules" }, t("oldRules")),
      h("section", { class: "card talk" }, this.result, this.told, downloads),
    );
  }

  /** Tell how it ended, and list all actions. Without them the match can still be watched. */
  private async summarise(): Promise<void> {
    try {
      const summary = await this.source.summary(this.left.signal);
      const { marks } = this.head;
      this.summary = summary;
      if (summary.judged) this.course.offer();
      this.moves = new MoveList(summary.plies, marks, this.story, (ply) => this.jump(ply));
      fill(this.told, this.moves.element);
      this.showResult(summary);
      if (summary.doubts.length > 0) {
        this.doubted.textContent = t("falseReplay");
        this.doubted.hidden = false;
      }
      this.moves.mark(this.ply);
      if (this.frame?.ply === this.ply) this.tell(this.frame);
    } catch (error) {
      if (!this.left.signal.aborted) toast(errorText(error), "error");
    }
  }

  /** How it ended is told to those who have watched it, and to those who want to know at once: that is remembered. */
  private showResult(summary: Summary): void {
    const { tellEnd } = settings();
    const isKnown = tellEnd || this.hasWatched;
    const choose = (): void => {
      saveSettings({ tellEnd: !tellEnd });
      this.showResult(summary);
      this.result.querySelector("button")?.focus();
    };
    const wish = h("button", { type: "button", class: isKnown ? "link" : "quiet", "data-testid": "tell-end" });
    wish.textContent = t(isKnown ? "hideEnd" : "showEnd");
    wish.addEventListener("click", choose);
    const { marks, names } = this.head;
    const told = [
      h("b", { "data-testid": "verdict" }, verdict(summary.ending, names)),
      standings({ ...summary, names }, marks),
    ];
    fill(this.result, ...(isKnown ? told : []), !this.hasWatched && wish);
    this.result.hidden = summary.ending === null;
    this.course.cover(!isKnown);
  }

  private controls(): HTMLElement {
    const button = (icon: string, words: string, testid: string, onclick: () => void): HTMLElement =>
      iconButton(icon, words, { onclick, "data-testid": testid });
    return h(
      "div",
      { class: "reel" },
      this.course.element,
      this.slider,
      h(
        "div",
        { class: "row" },
        button(ICONS.first, t("toStart"), "first", () => this.jump(0)),
        button(ICONS.back, t("stepBack"), "previous", () => this.jump(this.ply - 1)),
        this.toggle,
        button(ICONS.forward, t("stepOn"), "next", () => this.stepOn()),
        button(ICONS.last, t("toEnd"), "last", () => this.jump(this.head.plies)),
        this.speed,
        this.count,
        zoomButtons(this.board.zoom),
        fullButton(),
        this.course.switch.button,
      ),
    );
  }

  leave(): void {
    this.stop();
    this.showing.abort();
    this.left.abort();
    leaveFull();
  }

  /** Stop playing, and show a ply. */
  private jump(ply: number): void {
    this.stop();
    void this.show(ply);
  }

  private stepOn(): void {
    this.stop();
    void this.show(this.ply + 1, true);
  }

  /** Show a ply; with `moving`, by way of what moved there. Whatever was being shown before ends. */
  private async show(wanted: number, moving = false): Promise<void> {
    const ply = Math.max(0, Math.min(wanted, this.head.plies));
    this.showing.abort();
    this.showing = new AbortController();
    const { signal } = this.showing;
    this.ply = ply;
    this.moves?.mark(ply);
    this.course.show(ply);
    if (ply !== this.drawn) fill(this.story); // what happened there is still to be loaded
    this.slider.value = String(ply);
    this.count.textContent = t("plyOf", { ply, plies: this.head.plies });
    this.slider.setAttribute("aria-valuetext", this.count.textContent);
    try {
      const frame = await this.frames.frame(ply, signal);
      if (moving && !document.hidden && this.drawn === ply - 1) await this.move(frame, signal);
      if (!signal.aborted) this.draw(frame);
    } catch (error) {
      if (signal.aborted) return;
      this.stop();
      toast(errorText(error), "error");
    }
  }

  /** Let things move. What cannot move is left out: the picture comes next. */
  private async move(frame: Frame, signal: AbortSignal): Promise<void> {
    const motion = new Motion(this.board, settings().speed, sound);
    signal.addEventListener("abort", () => motion.end(), { once: true });
    this.drawn = -1;
    await withTimeout(motion.play(frame.events), LONGEST).catch(() => undefined);
    motion.end();
  }

  private draw(frame: Frame): void {
    this.drawn = frame.ply;
    this.element.dataset.ply = String(frame.ply);
    this.board.setScene(frame.scene);
    this.board.mark({ ...NO_MARKS, last: new Set(frame.picks) });
    this.frame = frame;
    this.watched(frame.ply);
    this.tell(frame);
    if (this.source.path) changeAddress(`${this.source.path}?ply=${frame.ply}`);
  }

  /** Somebody has seen this ply: after the last one nothing is a secret. */
  private watched(ply: number): void {
    if (this.hasWatched || ply < this.head.plies) return;
    this.hasWatched = true;
    if (this.summary) this.showResult(this.summary);
  }

  /** How everybody stands, and what happened. */
  private tell(frame: Frame): void {
    const isListed = this.moves !== null && frame.ply > 0; // then the list has the first line already
    const lines = frame.events.map(({ text }, line) => h("li", { class: isListed && line === 0 && "unseen" }, text));
    fill(this.story, ...lines);
    this.moves?.reveal();
    const seats = this.head.names.slice(0, SEATS).map((name, seat) => this.seat(frame, name, seat));
    fill(this.seats, ...seats);
    this.seats.classList.toggle("is-crowd", seats.length > 6);
  }

  private seat(frame: Frame, name: string, seat: number): HTMLElement {
    const isOver = frame.ply === this.head.plies;
    const mark = isOver ? this.head.winners.includes(seat) && "is-winner" : seat === frame.to_move && "is-turn";
    const scores = (isOver && this.summary?.scores) || frame.scores; // an early end may have given some out
    return h(
      "li",
      { class: `seat ${mark || ""}`, "data-seat": seat },
      seatBadge(this.head.marks[seat]),
      h("span", { class: "who" }, h("b", {}, name)),
      this.summary?.scored !== false && h("output", { class: "score" }, signed(scores[seat] ?? 0)),
    );
  }

  // Playing on by itself.

  private get pause(): number {
    return PAUSES[this.speed.value] ?? USUAL_PAUSE;
  }

  private playOrPause(): void {
    if (this.playing) this.stop();
    else void this.play();
  }

  private stop(): void {
    this.playing?.abort();
    this.playing = null;
    this.showToggle();
  }

  private showToggle(): void {
    const words = this.playing ? t("pause") : t("play");
    fill(this.toggle, icon(this.playing ? ICONS.pause : ICONS.play));
    this.toggle.setAttribute("aria-label", words);
    this.toggle.title = words;
  }

  private async play(): Promise<void> {
    const playing = new AbortController();
    this.playing = playing;
    this.showToggle();
    if (this.ply >= this.head.plies) await this.show(0);
    while (!playing.signal.aborted && this.ply < this.head.plies) {
      await new Promise((resolve) => setTimeout(resolve, this.pause));
      if (!playing.signal.aborted) await this.show(this.ply + 1, this.pause > WITH_MOTION);
    }
    if (!playing.signal.aborted) this.stop();
  }

  key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return; // the browser's
    if (event.target instanceof HTMLButtonElement && (event.key === " " || event.key === "Enter")) return;
    const keys: Record<string, () => void> = {
      ...zoomKeys(this.board.zoom),
      ArrowLeft: () => this.jump(this.ply - 1),
      ArrowRight: () => this.stepOn(),
      Home: () => this.jump(0),
      End: () => this.jump(this.head.plies),
      " ": () => this.playOrPause(),
      f: () => this.board.flip(),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}
