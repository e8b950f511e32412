/** Without the network: it is said on every page, and what could not be shown comes back by itself. */

import { h } from "./dom";
import { isHere } from "./house";
import { t } from "./language";
import { at } from "./root";

const PAUSE = 2000; // milliseconds between two questions whether the server answers

let isLoading = false;
let banner: HTMLElement | undefined; // the same on every page: one of each page's own would keep the page alive

/** Says that the browser has no network, as long as that is so; or that somebody waits for the engine in it. */
export function offlineBanner(): HTMLElement {
  if (!banner) {
    banner = h("p", { class: "banner offline", role: "status", "data-testid": "offline" });
    for (const kind of ["online", "offline"]) window.addEventListener(kind, update);
  }
  update();
  return banner;
}

/** Whether somebody waits for the engine. */
export function sayLoading(loads: boolean): void {
  isLoading = loads;
  update();
}

function update(): void {
  if (!banner) return;
  banner.hidden = isHere ? !isLoading : navigator.onLine;
  banner.classList.toggle("loads", isHere);
  banner.textContent = t(isHere ? "engineLoads" : "noNetwork");
}

/** Call back once the server answers. Returns what ends the waiting. */
export function whenReachable(back: () => void): () => void {
  const stop = (): void => {
    clearInterval(timer);
    window.removeEventListener("online", look);
  };
  const look = async (): Promise<void> => {
    const answer = await fetch(at("/manifest.webmanifest"), { cache: "no-store" }).catch(() => null);
    if (!answer?.ok) return;
    stop();
    back();
  };
  const timer = window.setInterval(look, PAUSE);
  window.addEventListener("online", look);
  return stop;
}
