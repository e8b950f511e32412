/** The button that shows and hides win chances. What was chosen is remembered. */

import { iconButton } from "../dom";
import { t } from "../language";
import { type Settings, saveSettings, settings } from "../storage";

const SIGN = "M4 4v16h16M7 14l4-4 3 3 6-7";

/** Whether you play or watch: each is remembered by itself. */
export type ChanceWish = keyof Pick<Settings, "playChances" | "watchChances">;

export class ChanceSwitch {
  readonly element = iconButton(SIGN, t("winChances"), { "data-testid": "show-chances", hidden: true });

  constructor(
    private readonly wish: () => ChanceWish,
    changed: () => void,
  ) {
    this.element.addEventListener("click", () => {
      saveSettings({ [this.wish()]: !this.isOn });
      this.show();
      changed();
    });
    this.show();
  }

  get isOn(): boolean {
    return settings()[this.wish()];
  }

  show(): void {
    this.element.setAttribute("aria-pressed", String(this.isOn));
  }
}
