/** How you like things: a window with all settings. */

import { showDialog } from "./dialog";
import { h } from "./dom";
import { field, selectList, tickField } from "./form";
import { LANGUAGES, language, t } from "./language";
import { checkName } from "./names";
import { askPermission } from "./notifications";
import { sound } from "./sound";
import { type Settings, saveSettings, settings } from "./storage";
import { toast } from "./toast";

/** Light and dark as chosen, or as the system has it. */
export function applyTheme(): void {
  const { theme } = settings();
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** The window. `again` shows the page anew, in another language. */
export function showSettings(again: () => void): void {
  const element = showDialog(
    t("settings"),
    t("close"),
    nameField(),
    languageField(() => {
      element.close();
      again();
    }),
    themeField(),
    speedField(),
    tick(t("sounds"), !settings().muted, "sounds", (box) => saveSettings({ muted: !box.checked })),
    volumeField(),
    tick(t("tellTalk"), !settings().muteTalk, "tell-talk", (box) => saveSettings({ muteTalk: !box.checked })),
    tick(t("confirmTouch"), settings().confirm, "confirm-touch", (box) => saveSettings({ confirm: box.checked })),
    tick(t("notifyMe"), settings().notify, "notify", (box) => void changeNotify(box)),
  );
}

function nameField(): HTMLElement {
  const attributes = { value: settings().name, autocomplete: "nickname", "data-testid": "name" };
  const input = checkName(h("input", attributes));
  input.addEventListener("input", () => input.validity.valid && saveSettings({ name: input.value.trim() }));
  return field(t("yourName"), input);
}

function languageField(changed: () => void): HTMLElement {
  const languages = Object.entries(LANGUAGES).map(([tag, { name }]) => [tag, name] as const);
  const list = selectList(languages, language(), { "data-testid": "language" });
  list.addEventListener("change", () => {
    saveSettings({ language: list.value });
    changed();
  });
  return field(t("language"), list);
}

function themeField(): HTMLElement {
  const themes = [
    ["auto", t("themeAuto")],
    ["light", t("themeLight")],
    ["dark", t("themeDark")],
  ] as const;
  const list = selectList(themes, settings().theme, { "data-testid": "theme" });
  list.addEventListener("change", () => {
    saveSettings({ theme: list.value as Settings["theme"] });
    applyTheme();
  });
  return field(t("theme"), list);
}

function speedField(): HTMLElement {
  const speeds = [
    ["normal", t("speedNormal")],
    ["fast", t("speedFast")],
    ["off", t("speedOff")],
  ] as const;
  const list = selectList(speeds, settings().speed, { "data-testid": "speed" });
  list.addEventListener("change", () => saveSettings({ speed: list.value as Settings["speed"] }));
  return field(t("speed"), list);
}

function volumeField(): HTMLElement {
  const slider = h("input", { type: "range", min: 0, max: 100, step: 5, "data-testid": "volume" });
  slider.value = String(settings().volume);
  slider.addEventListener("change", () => {
    saveSettings({ volume: slider.valueAsNumber });
    sound("turn");
  });
  return field(t("volume"), slider);
}

function tick(label: string, on: boolean, testid: string, changed: (box: HTMLInputElement) => void): HTMLElement {
  const box = h("input", { type: "checkbox", checked: on, "data-testid": testid });
  box.addEventListener("change", () => changed(box));
  return tickField(label, box);
}

async function changeNotify(box: HTMLInputElement): Promise<void> {
  const wanted = box.checked;
  box.checked = wanted && (await askPermission());
  saveSettings({ notify: box.checked });
  if (wanted && !box.checked) toast(t("notifyRefused"), "error");
}
