/** Replays: those of finished matches here, and any replay file that is dropped on the page or comes with a link. */

import * as api from "../api";
import { fill, h } from "../dom";
import { t } from "../language";
import type { Page } from "../page";
import type { Curve } from "../protocol";
import type { LoadFrames } from "../replay/frame-cache";
import { linkedReplay } from "../replay/linked";
import { Player, type ReplaySource } from "../replay/player";
import { at } from "../root";
import { toast } from "../toast";
import { errorText } from "./error";
import { FinishedMatches } from "./finished-matches";

export async function replay(id: string | null): Promise<Page> {
  if (id === null) return new ReplayPage();
  const player = await Player.load(fromTable(id), askedPly());
  return {
    title: `${player.title} · Parlour`,
    element: player.element,
    wide: true,
    leave: () => player.leave(),
    key: (event) => player.key(event),
  };
}

/** The ply that the address asks for. What is no ply is said, and the nearest before it is shown. */
function askedPly(): number {
  const asked = new URLSearchParams(location.search).get("ply") ?? "0";
  const ply = Math.max(0, Math.floor(Number(asked)) || 0);
  if (String(ply) !== asked) toast(t("noPly", { ply: asked }), "error");
  return ply;
}

/** A replay whose frames and summary are asked for like this. */
function source(load: LoadFrames, summary: ReplaySource["summary"]): Pick<ReplaySource, "load" | "summary"> {
  let game = "";
  return {
    load: async (first, count, signal) => {
      const frames = await load(first, count, signal);
      game = frames.game;
      return (await api.faces(game)).frames(frames);
    },
    summary: async (signal) => (await api.faces(game)).summary(await summary(signal)),
  };
}

function fromTable(id: string): ReplaySource {
  return {
    ...source(
      (first, count, signal) => api.frames(id, first, count, signal),
      (signal) => api.summary(id, signal),
    ),
    chances: (signal) => api.chances(id, signal),
    text: () => api.replayText(id),
    path: at(`/replay/${encodeURIComponent(id)}`),
  };
}

/** The replay in a file. Its text goes to the server as it is. */
function fromFile(text: string): ReplaySource {
  const parts = source(
    (first, count, signal) => api.framesOf(text, first, count, signal),
    (signal) => api.summaryOf(text, signal),
  );
  const chances = (signal: AbortSignal): Promise<Curve> => api.chancesOf(text, signal);
  return { ...parts, chances, text: async () => text, path: null };
}

/** Where files are dropped, above the list of matches that are over. */
class ReplayPage implements Page {
  title = `${t("replays")} · Parlour`;
  readonly wide = true;
  readonly element = h("div", { class: "lobby", "data-testid": "replays" });
  private player: Player | null = null; // of the file that was opened: it takes the place of the rest
  private opened = 0; // which file is the latest: older ones come too late

  constructor() {
    const accept = ".json,application/json";
    const input = h("input", { type: "file", accept, "data-testid": "replay-file", "aria-label": t("chooseFile") });
    input.addEventListener("change", () => {
      if (input.files?.[0]) void this.open(input.files[0]);
      input.value = ""; // so that the same name can be chosen again, once its file is corrected
    });
    const words = [h("b", {}, t("dropHere")), h("span", { class: "faint" }, t("dropText"))];
    const drop = h("label", { class: "drop" }, ...words, input);
    fill(this.element, h("h1", {}, t("replays")), drop, new FinishedMatches().element);
    window.addEventListener("dragover", this.onDragOver);
    window.addEventListener("drop", this.onDrop);
    void this.openLinked(location.hash);
  }

  leave(): void {
    this.opened += 1;
    this.player?.leave();
    window.removeEventListener("dragover", this.onDragOver);
    window.removeEventListener("drop", this.onDrop);
  }

  key(event: KeyboardEvent): void {
    this.player?.key(event);
  }

  private readonly onDragOver = (event: DragEvent): void => event.preventDefault();

  private readonly onDrop = (event: DragEvent): void => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) void this.open(file);
  };

  private async openLinked(hash: string): Promise<void> {
    const text = await linkedReplay(hash).catch(() => "");
    if (text !== null) await this.show(text, t("noReplayLink"));
  }

  private async open(file: File): Promise<void> {
    await this.show(file.text(), t("noReplay", { name: file.name }));
  }

  private async show(content: string | Promise<string>, refusal: string): Promise<void> {
    this.opened += 1;
    const mine = this.opened;
    try {
      const text = await content;
      if (!isObject(text)) return toast(refusal, "error");
      const player = await Player.load(fromFile(text), 0);
      if (mine !== this.opened) return player.leave();
      this.player?.leave();
      (this.player?.element ?? this.element).replaceWith(player.element);
      this.player = player;
    } catch (error) {
      if (mine === this.opened) toast(errorText(error), "error");
    }
  }
}

/** Whether a text is an object in JSON. What is in it is not read here: large numbers would change. */
function isObject(text: string): boolean {
  try {
    const content: unknown = JSON.parse(text);
    return typeof content === "object" && content !== null && !Array.isArray(content);
  } catch {
    return false;
  }
}
