/** Bots as people know them: Easy to Brilliant, with a face; the exact name is a detail. */

import { fill, h, s } from "./dom";
import { selectList } from "./form";
import { t } from "./language";
import type {
  Ending,
  FaceView,
  Frames,
  GameView,
  SeatView,
  Summary,
  TableLine,
  TableMessage,
  TableView,
} from "./protocol";

const EYES = [
  "M20 27v3M44 27v3",
  "M18 28h7M39 28h7",
  "M21 26v5M43 26v5",
  "M17 23l8 4M47 23l-8 4M21 29v4M43 29v4",
  "M15 22l11 5M49 22l-11 5M20 30h4M40 30h4",
  "M14 20l12 6M50 20l-12 6M19 30h6M39 30h6",
];
const MOUTHS = [
  "M20 40q12 14 24 0",
  "M21 42q11 8 22 0",
  "M22 44h20",
  "M22 45q10-5 20 0",
  "M21 44q11 5 22-3",
  "M20 41l4 4h16l4-4",
];

/** A face for a level, from 0 up: the stronger, the sterner. */
export function faceIcon(level: number): SVGSVGElement {
  const path = { fill: "none", stroke: "currentColor", "stroke-width": 4, "stroke-linecap": "round" };
  return s(
    "svg",
    { viewBox: "0 0 64 64", class: "face", "aria-hidden": "true" },
    s("circle", { cx: 32, cy: 33, r: 27, fill: "none", stroke: "currentColor", "stroke-width": 4 }),
    s("path", { d: `${EYES[level] ?? EYES[2]}${MOUTHS[level] ?? MOUTHS[2]}`, ...path }),
  );
}

/** To choose a bot by its face. None where there is nothing to decide. */
export function facePicker(game: GameView, name: string): HTMLElement {
  const [only, ...more] = game.faces;
  if (only && more.length === 0) return h("input", { type: "hidden", name, value: only.name });
  const entries = game.faces.map(({ name: value, title }) => [value, title] as const);
  const list = selectList(entries, game.usual_bot, { name, "data-testid": "bot" });
  const told = h("div", { class: "bot-face", "data-testid": "bot-face" });
  const tell = (): void => {
    const level = game.faces.findIndex((face) => face.name === list.value);
    fill(told, faceIcon(level), h("small", {}, character(game.faces[level])));
  };
  list.addEventListener("change", tell);
  tell();
  return h("span", { class: "bot-picker" }, list, told);
}

const character = (face: FaceView | undefined): string =>
  face ? `${face.character} ${t("thinksFor", { time: face.thinks })}` : "";

/** Texts with bots' titles in place of their exact names: a bot's is the only name with brackets. */
export class Faces {
  private readonly titles: Map<string, string>;

  constructor(faces: readonly FaceView[]) {
    this.titles = new Map(faces.map(({ name, title }) => [name, title]));
  }

  text(text: string): string {
    return text.replace(/\(([^()]+)\)/g, (whole, name: string) =>
      this.titles.has(name) ? `(${this.titles.get(name)})` : whole,
    );
  }

  private readonly seat = (seat: SeatView): SeatView => {
    const { stand_in } = seat;
    return { ...seat, name: this.text(seat.name), stand_in: stand_in && (this.titles.get(stand_in) ?? stand_in) };
  };

  table(table: TableView): TableView {
    const story = table.story.map((line) => this.text(line));
    const hints = table.hints && this.titles.size !== 1; // where there is nothing to decide, there are no levels
    return { ...table, hints, seats: table.seats.map(this.seat), story, ending: this.ending(table.ending) };
  }

  line(line: TableLine): TableLine {
    const [names, who] = [line.names, line.who ?? []].map((all) => all.map((name) => this.text(name)));
    return { ...line, names: names ?? [], who: who ?? [], ending: this.ending(line.ending ?? null) };
  }

  private ending(ending: Ending | null): Ending | null {
    if (!ending) return null;
    const told = Object.entries(ending.told ?? {}).map(([tongue, words]) => [
      tongue,
      { ...words, text: this.text(words.text) },
    ]);
    return { ...ending, text: this.text(ending.text), told: Object.fromEntries(told) };
  }

  frames(frames: Frames): Frames {
    const told = frames.frames.map((frame) => ({
      ...frame,
      events: frame.events.map((event) => ({ ...event, text: this.text(event.text) })),
    }));
    return { ...frames, names: frames.names.map((name) => this.text(name)), frames: told };
  }

  summary(summary: Summary): Summary {
    const plies = summary.plies.map((line) => ({ ...line, text: this.text(line.text) }));
    return { ...summary, plies, ending: this.ending(summary.ending) };
  }

  message(message: TableMessage): TableMessage {
    if (message.type === "welcome") return { ...message, table: this.table(message.table) };
    if (message.type !== "update") return message;
    return {
      ...message,
      seats: message.seats.map(this.seat),
      events: message.events.map((event) => ({ ...event, text: this.text(event.text) })),
      ending: this.ending(message.ending),
    };
  }
}
