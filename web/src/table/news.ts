/** What everybody at the table should notice at once, wherever they look. */

import { t } from "../language";
import type { Update } from "../protocol";
import { seatName } from "../seat-field";
import { sentence } from "../text";
import type { Model } from "./model";

/** What an update brings that has to be said, to whoever knew the table like this. `names` are those of the seats. */
export function newsOf({ table: before }: Model, update: Update, names: readonly string[]): string[] {
  const { you } = before;
  const name = before.seats[update.seat]?.name ?? "";
  const news = update.events.filter(({ loud }) => loud).map(({ text }) => sentence(text));
  const seating = update.body?.seating as number[] | undefined;
  if (you !== null && seating) news.push(t("lotDrawn", { seat: seatName(names, seating[you] ?? you) }));
  if (you === null || update.seat === you) return news;
  const isDeclined = before.offer === you && update.offer === null && update.phase === "playing";
  if (isDeclined) news.push(t("drawDeclined", { name }));
  if (update.kind === "rematch") news.push(t("rematchWanted", { name }));
  return news;
}
