/** Says that it is your turn, as soon as it is: in the title of the tab, and by a notification if nobody looks. */

import { t } from "../language";
import { notify } from "../notifications";
import { settings } from "../storage";
import { isYourTurn, type Model } from "./model";

export class TurnAlert {
  private wasYours = false;

  /** The table is like this now. Returns the title of the page. */
  update(model: Model): string {
    const { title } = model.table;
    const isYours = isYourTurn(model);
    document.title = isYours ? `● ${t("yourTurn")} · ${title}` : `${title} · Parlour`;
    const begins = isYours && !this.wasYours;
    this.wasYours = isYours;
    if (begins && document.hidden && settings().notify) {
      notify(t("yourTurn"), title).catch((error: unknown) => console.error(error));
    }
    return document.title;
  }
}
