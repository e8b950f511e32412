/** Says that it is your turn or that a rematch waits, as soon as it is so: in the title of the tab, and by a notification if nobody looks. */

import { t } from "../language";
import { notify } from "../notifications";
import { settings } from "../storage";
import { isYourTurn, type Model } from "./model";

export class TurnAlert {
  private was = "";

  /** The table is like this now. Returns the title of the page. */
  update(model: Model): string {
    const { title } = model.table;
    const waits = whatWaits(model);
    document.title = waits ? `● ${waits} · ${title}` : `${title} · Parlour`;
    const begins = waits !== "" && waits !== this.was;
    this.was = waits;
    if (begins && document.hidden && settings().notify) {
      notify(waits, title).catch((error: unknown) => console.error(error));
    }
    return document.title;
  }
}

/** What waits for you at the table. */
function whatWaits(model: Model): string {
  const { phase, rematch, you } = model.table;
  if (phase === "over" && rematch !== null && you !== null) return t("rematch");
  return isYourTurn(model) ? t("yourTurn") : "";
}
