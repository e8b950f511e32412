/** What shows and hides win chances: a button or, where there is little room, a line of a menu. It is remembered. */

import { h, iconButton } from "../dom";
import { t } from "../language";
import { type Settings, saveSettings, settings } from "../storage";

const SIGN = "M4 4v16h16M7 14l4-4 3 3 6-7";

/** Whether you play or watch: each is remembered by itself. */
export type ChanceWish = keyof Pick<Settings, "playChances" | "watchChances">;

export class ChanceSwitch {
  readonly button = iconButton(SIGN, t("winChances"), { "data-testid": "show-chances", hidden: true });
  readonly item = h("button", { type: "button", "data-testid": "menu-chances", hidden: true });

  constructor(
    private readonly wish: () => ChanceWish,
    changed: () => void,
  ) {
    const toggle = (): void => {
      saveSettings({ [this.wish()]: !this.isOn });
      this.show();
      changed();
    };
    this.button.addEventListener("click", toggle);
    this.item.addEventListener("click", toggle);
    this.show();
  }

  get isOn(): boolean {
    return settings()[this.wish()];
  }

  show(): void {
    this.button.setAttribute("aria-pressed", String(this.isOn));
    this.item.textContent = t(this.isOn ? "hideChances" : "showChances");
  }
}
