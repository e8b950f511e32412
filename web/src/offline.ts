/** Without the network: it is said on every page, and what could not be shown comes back by itself. */

import { h } from "./dom";
import { t } from "./language";
import { at } from "./root";

const KINDS = ["online", "offline"] as const;
const PAUSE = 2000; // milliseconds between two questions whether the server answers

/** Says that the browser has no network, as long as that is so. */
export function offlineBanner(): HTMLElement {
  const banner = h("p", { class: "banner offline", role: "status", "data-testid": "offline" });
  let isShown = false;
  const update = (): void => {
    banner.hidden = navigator.onLine;
    banner.textContent = t("noNetwork");
    if (isShown && !banner.isConnected) for (const kind of KINDS) window.removeEventListener(kind, update); // its page is left
    isShown = banner.isConnected;
  };
  for (const kind of KINDS) window.addEventListener(kind, update);
  update();
  return banner;
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
