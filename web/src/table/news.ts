/** What everybody at the table should notice at once, wherever they look. */

import { t } from "../language";
import type { Update } from "../protocol";
import { sentence } from "../text";
import type { Model } from "./model";

/** What an update brings that has to be said, to whoever knew the table like this. */
export function newsOf({ table: before }: Model, update: Update): string[] {
  const { you } = before;
  const name = before.seats[update.seat]?.name ?? "";
  const news = update.events.filter(({ loud }) => loud).map(({ text }) => sentence(text));
  if (you === null || update.seat === you) return news;
  const isDeclined = before.offer === you && update.offer === null && update.phase === "playing";
  if (isDeclined) news.push(t("drawDeclined", { name }));
  if (update.kind === "rematch") news.push(t("rematchWanted", { name }));
  return news;
}
