/** What stands around every page: the name of the house, the ways through it, and how you like things. */

import { dialog, type Page, toast } from "./app";
import { h, ICONS, icon, iconButton, s } from "./dom";
import { LANGUAGES, language, t } from "./language";
import type { Key } from "./languages/en";
import { change, type Settings, settings } from "./memory";

/** The page in its frame. `again` shows it anew, in another language. */
export function frame(page: Page, again: () => void): Node[] {
  const here = (path: string): Record<string, string> => (location.pathname === path ? { "aria-current": "page" } : {});
  const nav = h(
    "nav",
    { "aria-label": t("pages") },
    h("a", { href: "/", ...here("/") }, t("games")),
    h("a", { href: "/tables", ...here("/tables") }, t("tables")),
    h("a", { href: "/replay", ...here("/replay") }, t("replays")),
    h("a", { href: "/rules", ...here("/rules") }, t("rules")),
  );
  const open = { "data-testid": "settings", onclick: () => showSettings(again) };
  const help = { "data-testid": "help", onclick: showHelp };
  const tools = h(
    "div",
    { class: "tools" },
    iconButton(ICONS.help, t("help"), help),
    iconButton(ICONS.settings, t("settings"), open),
  );
  const header = h(
    "header",
    { class: "house" },
    h("a", { href: "/", class: "wordmark" }, lamp(), "Parlour"),
    nav,
    tools,
  );
  return [header, h("main", { id: "main", class: page.wide ? "wide" : "", tabindex: "-1" }, page.element)];
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

/** Light and dark as chosen, or as the system has it. */
export function applyTheme(): void {
  const { theme } = settings();
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function showSettings(again: () => void): void {
  const now = settings();
  const changed = <K extends keyof Settings>(key: K, value: Settings[K]): void => change({ [key]: value });
  const languages = Object.entries(LANGUAGES).map(([tag, { name }]): [string, string] => [tag, name]);
  const name = h("input", { value: now.name, maxlength: "40", autocomplete: "nickname", "data-testid": "name" });
  name.addEventListener("input", () => changed("name", name.value.trim()));
  const element = dialog(
    t("settings"),
    t("close"),
    field(t("yourName"), name),
    field(
      t("language"),
      select(languages, language(), "language", (value) => {
        changed("language", value);
        element.close();
        again();
      }),
    ),
    field(
      t("theme"),
      select(
        [
          ["auto", t("themeAuto")],
          ["light", t("themeLight")],
          ["dark", t("themeDark")],
        ],
        now.theme,
        "theme",
        (value) => {
          changed("theme", value as Settings["theme"]);
          applyTheme();
        },
      ),
    ),
    field(
      t("speed"),
      select(
        [
          ["normal", t("speedNormal")],
          ["fast", t("speedFast")],
          ["off", t("speedOff")],
        ],
        now.speed,
        "speed",
        (value) => changed("speed", value as Settings["speed"]),
      ),
    ),
    tick(t("sounds"), !now.muted, "sounds", (on) => {
      changed("muted", !on);
      void import("./sound").then(({ setMuted }) => setMuted(!on));
    }),
    tick(t("confirmTouch"), now.confirm, "confirm-touch", (on) => changed("confirm", on)),
    tick(t("notifyMe"), now.notify, "notify", (on) => void notify(on)),
  );
}

async function notify(on: boolean): Promise<void> {
  const granted = on && "Notification" in window && (await Notification.requestPermission()) === "granted";
  change({ notify: granted });
  if (on && !granted) toast(t("notifyRefused"), "error");
}

function field(label: string, control: HTMLElement): HTMLElement {
  return h("label", { class: "field" }, h("span", {}, label), control);
}

function select(all: [string, string][], now: string, testid: string, changed: (value: string) => void): HTMLElement {
  const element = h(
    "select",
    { "data-testid": testid },
    ...all.map(([value, words]) => h("option", { value, selected: value === now }, words)),
  );
  element.addEventListener("change", () => changed(element.value));
  return element;
}

function tick(label: string, on: boolean, testid: string, changed: (on: boolean) => void): HTMLElement {
  const box = h("input", { type: "checkbox", checked: on, "data-testid": testid });
  box.addEventListener("change", () => changed(box.checked));
  return h("label", { class: "field tick" }, box, h("span", {}, label));
}

const KEYS: [string, Key][] = [
  ["Tab", "keyTab"],
  ["← ↑ → ↓", "keyArrows"],
  ["Enter", "keyEnter"],
  ["Space", "keySpace"],
  ["Esc", "keyEscape"],
  ["Shift ←↑→↓", "keyOrder"],
  ["a", "keyAll"],
  ["u", "keyUndo"],
  ["h", "keyHint"],
  ["f", "keyFlip"],
  ["/", "keyNotation"],
  ["c", "keyChat"],
  ["?", "keyHelp"],
];

/** The keys there are. */
export function showHelp(): void {
  const rows = KEYS.flatMap(([key, words]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, t(words))]);
  dialog(
    t("keys"),
    t("close"),
    h("dl", { class: "keys" }, ...rows),
    h("p", { class: "faint" }, icon(ICONS.hint), t("helpMore")),
  );
}
