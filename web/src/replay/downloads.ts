/** What can be taken home from a replay: its file, a picture, and an animated GIF. */

import { copy } from "../clipboard";
import { h, once } from "../dom";
import { t } from "../language";
import { errorText } from "../pages/error";
import type { Frame, Frames } from "../protocol";
import { toast } from "../toast";
import { letters, svgDocument } from "./svg";

const GIF_WIDTH = 480;
const GIF_FRAMES = 400;

/** What the downloads are made of. */
export interface Recording {
  head: Frames;
  link: string | null; // to the ply that is shown
  ply(): number;
  delay(): number; // milliseconds from one ply to the next
  frame(ply: number): Promise<Frame>;
  text(): Promise<string>; // the replay file
  signal: AbortSignal; // aborts when the replay is left
}

export function downloadButtons(recording: Recording): HTMLElement {
  const { head, signal } = recording;
  const button = (words: string, testid: string, save: (button: HTMLElement) => Promise<void>): HTMLElement => {
    const run = once(() => save(element).catch((error: unknown) => signal.aborted || toast(errorText(error), "error")));
    const element = h("button", { type: "button", class: "quiet", "data-testid": testid, onclick: run }, words);
    return element;
  };
  return h(
    "div",
    { class: "row saving" },
    recording.link !== null &&
      button(t("linkToPly"), "ply-link", () => copy(`${recording.link}?ply=${recording.ply()}`)),
    button("JSON", "save-json", async () => {
      download(new Blob([await recording.text()], { type: "application/json" }), `${head.game}.json`);
    }),
    button("SVG", "save-svg", async () => {
      const { ply, scene } = await recording.frame(recording.ply());
      const picture = svgDocument(head, scene, await letters());
      download(new Blob([picture], { type: "image/svg+xml" }), `${head.game}-${ply}.svg`);
    }),
    button("GIF", "save-gif", (element) => saveGif(recording, element)),
  );
}

async function saveGif(recording: Recording, button: HTMLElement): Promise<void> {
  const { head, signal } = recording;
  const step = Math.ceil((head.plies + 1) / GIF_FRAMES);
  const total = Math.ceil((head.plies + 1) / step);
  const progress = (done: number): void => {
    button.textContent = `GIF ${Math.round((100 * done) / total)} %`;
  };
  try {
    const { recordGif } = await import("./gif");
    const options = { width: GIF_WIDTH, delay: recording.delay(), style: await letters(), progress, signal };
    download(await recordGif(pictures(recording, step), head.size, options), `${head.game}.gif`);
  } finally {
    button.textContent = "GIF";
  }
}

/** The positions as pictures; of a long match every so many, and always the last. */
async function* pictures({ head, frame }: Recording, step: number): AsyncIterable<string> {
  for (let ply = head.plies % step; ply <= head.plies; ply += step)
    yield svgDocument(head, (await frame(ply)).scene, "");
}

/** Give a file to whoever asked for it. */
function download(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  h("a", { href: address, download: name }).click();
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
