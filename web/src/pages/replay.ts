/** Replays: those of finished matches here, and any replay file that is dropped on the page. */

import * as api from "../api";
import { type Page, toast } from "../app";
import { fill, h } from "../dom";
import { t } from "../language";
import { Player, type Source } from "../replay/player";
import { Finished } from "./finished";
import { explained } from "./missing";

export async function replay(id: string | null): Promise<Page> {
  if (id !== null) {
    const player = await Player.load(fromTable(id), plyAsked());
    return {
      title: `${player.title} · Parlour`,
      element: player.element,
      wide: true,
      leave: () => player.leave(),
      key: (event) => player.key(event),
    };
  }
  return new ReplayPage();
}

function plyAsked(): number {
  return Number(new URLSearchParams(location.search).get("ply") ?? 0) || 0;
}

function fromTable(id: string): Source {
  return {
    load: (first, count) => api.frames(id, first, count),
    text: () => api.replayText(id),
    link: (ply) => `${location.origin}/replay/${encodeURIComponent(id)}?ply=${ply}`,
  };
}

function fromFile(content: unknown, text: string): Source {
  return { load: (first, count) => api.framesOf(content, first, count), text: async () => text, link: () => null };
}

/** Where files are dropped, above the list of matches that are over. */
class ReplayPage implements Page {
  title = `${t("replays")} · Parlour`;
  readonly wide = true;
  readonly element = h("div", { class: "lobby", "data-testid": "replays" });
  private player: Player | null = null;

  constructor() {
    const input = h("input", {
      type: "file",
      accept: ".json,application/json",
      "data-testid": "replay-file",
      "aria-label": t("chooseFile"),
    });
    input.addEventListener("change", () => input.files?.[0] && void this.open(input.files[0]));
    const drop = h(
      "label",
      { class: "drop" },
      h("b", {}, t("dropHere")),
      h("span", { class: "faint" }, t("dropText")),
      input,
    );
    fill(this.element, h("h1", {}, t("replays")), drop, new Finished().element);
    window.addEventListener("dragover", this.over);
    window.addEventListener("drop", this.drop);
  }

  leave(): void {
    this.player?.leave();
    window.removeEventListener("dragover", this.over);
    window.removeEventListener("drop", this.drop);
  }

  key(event: KeyboardEvent): void {
    this.player?.key(event);
  }

  private readonly over = (event: DragEvent): void => event.preventDefault();

  private readonly drop = (event: DragEvent): void => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) void this.open(file);
  };

  private async open(file: File): Promise<void> {
    const text = await file.text();
    let content: unknown;
    try {
      content = JSON.parse(text);
    } catch {
      return toast(t("noReplay", { name: file.name }), "error");
    }
    try {
      const player = await Player.load(fromFile(content, text), 0);
      this.player?.leave();
      this.player = player;
      fill(this.element, player.element);
    } catch (error) {
      toast(explained(error), "error");
    }
  }
}
