/** A match played again: a scrubber, keys, speed, a link to a ply, and downloads. */

import { copy, download, toast } from "../app";
import { Board, NO_MARKS } from "../board";
import { fill, h, ICONS, iconButton } from "../dom";
import { t } from "../language";
import { settings } from "../memory";
import { Motion } from "../motion";
import type { Frame, Frames } from "../protocol";
import { sound } from "../sounds";
import { chair } from "../table/seats";
import { whole } from "./picture";
import { Reel } from "./reel";

/** Where a replay comes from. */
export interface Source {
  load(first: number, count: number): Promise<Frames>;
  text(): Promise<string>; // the replay file
  link(ply: number): string | null;
}

const PAUSES: Record<string, number> = { "0.5": 2200, "1": 1100, "2": 500, "4": 200 };
const SEATS = 40; // that are listed
const GIF_WIDTH = 480;
const GIF_FRAMES = 400;

export class Player {
  readonly element: HTMLElement;
  readonly title: string;
  private ply = 0;
  private playing = false;
  private turn = 0; // which showing is the latest: older ones stop
  private left = false;
  private motion: Motion | null = null;
  private readonly board: Board;
  private readonly range = h("input", { type: "range", min: 0, "data-testid": "scrubber" });
  private readonly caption = h("ol", {
    class: "story",
    tabindex: 0,
    "data-testid": "replay-story",
    "aria-live": "polite",
  });
  private readonly scores = h("ol", { class: "seats" });
  private readonly count = h("output", { class: "ply", "data-testid": "ply" });
  private readonly toggle = iconButton(ICONS.play, t("play"), { "data-testid": "play" });
  private readonly speed = h("select", { "aria-label": t("speed"), "data-testid": "replay-speed" });

  static async load(source: Source, ply: number): Promise<Player> {
    const reel = new Reel((first, count) => source.load(first, count));
    const head = await reel.open(ply);
    return new Player(source, reel, head, Math.max(0, Math.min(ply, head.plies)));
  }

  private constructor(
    private readonly source: Source,
    private readonly reel: Reel,
    private readonly head: Frames,
    ply: number,
  ) {
    this.title = head.title;
    this.board = new Board(head.title, () => undefined);
    this.board.setGround(head.size, head.backdrop);
    this.range.max = String(head.plies);
    this.range.setAttribute("aria-label", t("scrubber"));
    this.range.addEventListener("input", () => this.jump(this.range.valueAsNumber));
    this.toggle.addEventListener("click", () => (this.playing ? this.stop() : this.start()));
    for (const speed of Object.keys(PAUSES))
      this.speed.append(h("option", { value: speed, selected: speed === "1" }, `${speed}×`));
    this.element = h(
      "div",
      { class: "table replay", "data-testid": "replay" },
      h(
        "div",
        { class: "table-head" },
        h("h1", {}, head.title),
        h("span", { class: "faint" }, head.names.slice(0, 4).join(", ")),
      ),
      this.scores,
      h("div", { class: "middle" }, this.board.element),
      h("div", { class: "doing" }, this.bar()),
      h("section", { class: "card talk" }, h("h2", {}, t("story")), this.caption, this.saving()),
    );
    void this.show(ply);
  }

  private bar(): HTMLElement {
    return h(
      "div",
      { class: "reel" },
      this.range,
      h(
        "div",
        { class: "row" },
        iconButton(ICONS.first, t("toStart"), { onclick: () => this.jump(0), "data-testid": "first" }),
        iconButton(ICONS.back, t("stepBack"), { onclick: () => this.jump(this.ply - 1), "data-testid": "previous" }),
        this.toggle,
        iconButton(ICONS.forward, t("stepOn"), {
          onclick: () => this.jump(this.ply + 1, true),
          "data-testid": "next",
        }),
        iconButton(ICONS.last, t("toEnd"), { onclick: () => this.jump(this.head.plies), "data-testid": "last" }),
        this.speed,
        this.count,
      ),
    );
  }

  private saving(): HTMLElement {
    const gif = h("button", { type: "button", class: "quiet", "data-testid": "save-gif" }, "GIF");
    gif.addEventListener("click", () => void this.saveGif(gif));
    const button = (words: string, testid: string, act: () => void): HTMLElement =>
      h("button", { type: "button", class: "quiet", "data-testid": testid, onclick: act }, words);
    const link =
      this.source.link(0) !== null &&
      button(t("linkToPly"), "ply-link", () => void copy(this.source.link(this.ply) ?? "", t("copied")));
    return h(
      "div",
      { class: "row saving" },
      link,
      button("JSON", "save-json", () => void this.saveJson()),
      button("SVG", "save-svg", () => void this.saveSvg()),
      gif,
    );
  }

  leave(): void {
    this.left = true;
    this.stop();
  }

  /** Stop playing, and show a ply. */
  private jump(ply: number, moving = false): void {
    this.stop();
    void this.show(ply, moving);
  }

  /** Show a ply; with `moving`, by way of what moved there. */
  private async show(wanted: number, moving = false): Promise<void> {
    const ply = Math.max(0, Math.min(wanted, this.head.plies));
    this.turn += 1;
    const mine = this.turn;
    this.motion?.drop();
    this.ply = ply;
    this.range.value = String(ply);
    const frame = await this.reel.frame(ply);
    if (mine !== this.turn || this.left) return;
    if (moving && !document.hidden) {
      this.motion = new Motion(this.board, settings().speed, sound);
      await this.motion.play(frame.events);
      if (mine !== this.turn || this.left) return;
      this.motion.drop();
    }
    this.draw(frame);
  }

  private draw(frame: Frame): void {
    this.board.setScene(frame.scene);
    this.board.mark({ ...NO_MARKS, last: new Set(frame.picks) });
    this.count.textContent = t("plyOf", { ply: frame.ply, plies: this.head.plies });
    this.range.setAttribute("aria-valuetext", this.count.textContent);
    const seats = this.head.names.slice(0, SEATS).map((name, seat) => this.seat(frame, name, seat));
    fill(this.scores, ...seats);
    this.scores.classList.toggle("is-crowd", seats.length > 6);
    fill(this.caption, ...frame.events.map((event) => h("li", {}, event.text)));
    if (this.source.link(0) !== null) history.replaceState(null, "", `${location.pathname}?ply=${frame.ply}`);
  }

  private seat(frame: Frame, name: string, seat: number): HTMLElement {
    const over = frame.ply === this.head.plies;
    const mark = over ? this.head.winners.includes(seat) && "is-winner" : seat === frame.to_move && "is-turn";
    return h(
      "li",
      { class: `seat ${mark || ""}`, "data-seat": seat },
      chair(this.head.marks[seat]),
      h("span", { class: "who" }, h("b", {}, name)),
      h("output", { class: "score" }, String(frame.scores[seat] ?? "")),
    );
  }

  // Playing on by itself.

  private start(): void {
    if (this.ply >= this.head.plies) void this.show(0);
    this.playing = true;
    this.showToggle();
    void this.run();
  }

  private stop(): void {
    this.playing = false;
    this.showToggle();
  }

  private showToggle(): void {
    const fresh = iconButton(this.playing ? ICONS.pause : ICONS.play, this.playing ? t("pause") : t("play"));
    fill(this.toggle, ...fresh.childNodes);
    this.toggle.setAttribute("aria-label", this.playing ? t("pause") : t("play"));
  }

  private async run(): Promise<void> {
    const pause = (): number => PAUSES[this.speed.value] ?? 1100;
    while (this.playing && !this.left && this.ply < this.head.plies) {
      await new Promise((done) => setTimeout(done, pause()));
      if (this.playing) await this.show(this.ply + 1, pause() > 300);
    }
    if (!this.left) this.stop();
  }

  key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLButtonElement) {
      if (event.key === " " || event.key === "Enter") return;
    }
    const keys: Record<string, () => void> = {
      ArrowLeft: () => this.jump(this.ply - 1),
      ArrowRight: () => this.jump(this.ply + 1, true),
      Home: () => this.jump(0),
      End: () => this.jump(this.head.plies),
      " ": () => (this.playing ? this.stop() : this.start()),
      f: () => this.board.flip(),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  // Downloads.

  private async saveJson(): Promise<void> {
    download(new Blob([await this.source.text()], { type: "application/json" }), `${this.head.game}.json`);
  }

  private async saveSvg(): Promise<void> {
    const { scene } = await this.reel.frame(this.ply);
    const document = whole(this.head, scene);
    download(new Blob([document], { type: "image/svg+xml" }), `${this.head.game}-${this.ply}.svg`);
  }

  private async saveGif(button: HTMLButtonElement): Promise<void> {
    button.disabled = true;
    try {
      const { recordGif } = await import("../gif");
      const step = Math.ceil((this.head.plies + 1) / GIF_FRAMES);
      const total = Math.ceil((this.head.plies + 1) / step);
      const progress = (done: number): void => {
        button.textContent = `GIF ${Math.round((100 * done) / total)} %`;
      };
      const delay = Math.min(PAUSES[this.speed.value] ?? 1100, 900);
      const blob = await recordGif(this.pictures(step), this.head.size, { width: GIF_WIDTH, delay, progress });
      download(blob, `${this.head.game}.gif`);
    } catch (error) {
      toast(String(error), "error");
    }
    button.textContent = "GIF";
    button.disabled = false;
  }

  /** The positions as pictures; of a long match every so many, and always the last. */
  private async *pictures(step: number): AsyncIterable<string> {
    for (let ply = this.head.plies % step; ply <= this.head.plies; ply += step) {
      yield whole(this.head, (await this.reel.frame(ply)).scene);
    }
  }
}
