/** What stands around every page: the name of the house, the ways through it, help and settings. */

import { h, ICONS, iconButton, s } from "./dom";
import { showHelp } from "./help";
import { isHere } from "./house";
import { t } from "./language";
import { offlineBanner } from "./offline";
import type { Page } from "./page";
import { within } from "./root";
import { showSettings } from "./settings";

/** The page with what stands around it. `again` shows it anew, in another language. */
export function layout(page: Page, again: () => void): Node[] {
  const header = h(
    "header",
    { class: "house" },
    h("a", { href: "/", class: "wordmark" }, lamp(), "Parlour"),
    navigation(),
    h(
      "div",
      { class: "tools" },
      iconButton(ICONS.help, t("help"), { "data-testid": "help", onclick: showHelp }),
      iconButton(ICONS.settings, t("settings"), { "data-testid": "settings", onclick: () => showSettings(again) }),
    ),
  );
  const attributes = { id: "main", class: page.wide ? "wide" : "", tabindex: "-1" };
  const main = h("main", attributes, offlineBanner(), page.element);
  return [h("a", { class: "skip", href: "#main", "data-testid": "skip" }, t("skip")), header, main];
}

function navigation(): HTMLElement {
  const link = (path: string, words: string): HTMLElement =>
    h("a", { href: path, ...(within(location.pathname) === path ? { "aria-current": "page" } : {}) }, words);
  return h(
    "nav",
    { "aria-label": t("pages") },
    link("/", t("games")),
    !isHere && link("/tables", t("tables")),
    link("/replay", t("replays")),
    link("/rules", t("rules")),
  );
}

function lamp(): SVGSVGElement {
  return s(
    "svg",
    { viewBox: "0 0 64 64", class: "lamp", "aria-hidden": "true" },
    s("path", { class: "glow", d: "M12 32h40l10 26H2z" }),
    s("path", { class: "shade", d: "M20 6h24l9 26H11z" }),
    s("path", { class: "stem", d: "M29.5 32h5v18h-5zM18 50h28v7H18z" }),
  );
}
