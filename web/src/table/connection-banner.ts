/** Says that the connection is lost, or has never been there, as long as that is so. */

import type { ConnectionState } from "../connection";
import { h } from "../dom";
import { t } from "../language";
import { toast } from "../toast";

export class ConnectionBanner {
  readonly element = h("p", { class: "banner", role: "status", hidden: true, "data-testid": "connection" });
  private wasOpen = false;

  show(state: ConnectionState): void {
    if (state === "connecting" || state === "closed") return; // what is said already stays true
    if (state === "lost") this.say(this.wasOpen ? t("connectionLost") : t("notConnected"));
    else {
      if (!this.element.hidden && this.wasOpen) toast(t("backAgain"));
      this.element.hidden = true;
      this.wasOpen = true;
    }
  }

  say(words: string): void {
    this.element.textContent = words;
    this.element.hidden = false;
  }
}
