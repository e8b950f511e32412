/** Opening a table: how many seats, which options, what clock, who else; and sitting down at one. */

import * as api from "../api";
import { clockField } from "../clock-field";
import { showDialog } from "../dialog";
import { h, once } from "../dom";
import { facePicker } from "../faces";
import { field, selectList, tickField } from "../form";
import { isHere } from "../house";
import { t } from "../language";
import { tableLine } from "../lobby/table-lines";
import { checkName } from "../names";
import { navigate } from "../page";
import type { GameView, OpenTable, OptionView } from "../protocol";
import { MANY, seatChoice, seatWish } from "../seat-field";
import { heldSeat, saveSettings, settings } from "../storage";
import { suggested, wishOf } from "../table-wish";
import { takeSeat, type Where } from "../take-seat";
import { capital } from "../text";
import { withTimeout } from "../timeout";
import { sayTrouble } from "./error";

const OFFERS_WITHIN = 1000; // milliseconds
const ATTEMPTS = 4; // at a seat where somebody waits: another may be faster

/** Open a table, sit down at it where it has seats, and go there. What goes wrong is said: of the name, at its field. */
export async function openAndSit(
  wish: OpenTable,
  name: string,
  where: Where = {},
  { opened = () => undefined, field }: { opened?: (table: string) => void; field?: HTMLInputElement } = {},
): Promise<void> {
  try {
    const named = name || t("guest");
    const { table, invite } = await api.open({ ...wish, name: named });
    if (table.seats.length > 0) await takeSeat(table.id, named, where, invite);
    opened(table.id);
    await navigate(`/table/${table.id}`);
  } catch (error) {
    sayTrouble(error, field);
  }
}

/** One click: a table with the usual bot at every other seat. */
export async function playNow(game: GameView): Promise<void> {
  const bots: Record<string, string> = {};
  for (let seat = 1; seat < game.usual_seats; seat += 1) bots[String(seat)] = game.usual_bot;
  await openAndSit({ game: game.name, seats: game.usual_seats, bots, options: suggested(game) }, settings().name);
}

/** A table where somebody waits for the same, or one where you wait for them. */
async function pairAndSit(wish: OpenTable, name: string, where: Where, field?: HTMLInputElement): Promise<void> {
  const named = name || t("guest");
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { table } = await api.pair({ ...wish, name: named });
      if (!heldSeat(table.id)) await takeSeat(table.id, named, where);
      return await navigate(`/table/${table.id}`);
    } catch (error) {
      const isTaken = error instanceof api.Refused && ["seat_taken", "not_open"].includes(error.code);
      if (!isTaken || attempt === ATTEMPTS) return sayTrouble(error, field);
    }
  }
}

/** Ask how the table shall be, and open it; tables where somebody waits are offered first. */
export async function showOpenTable(game: GameView): Promise<void> {
  const attributes = { name: "name", value: settings().name, autocomplete: "nickname", placeholder: t("guest") };
  const name = checkName(h("input", attributes));
  const [low, high] = game.seats;
  const seat = seatChoice(game.seat_names, high);
  const clock = clockField();
  const waiting = isHere ? null : await offered(game);
  const submit = async (event: Event): Promise<void> => {
    saveSettings({ name: name.value.trim() });
    const given = new FormData(form);
    const isAnybody = (event as SubmitEvent).submitter?.dataset.testid === "pair";
    if (isHere) given.set("bots", String(Number(given.get("seats") ?? game.usual_seats) - 1)); // nobody else can come
    const [wish, where] = [wishOf(game, given, clock.read()), seatWish(given.get("seat"), high > MANY)];
    if (isAnybody) await pairAndSit({ ...wish, bots: {}, public: true }, name.value.trim(), where, name);
    else await openAndSit(wish, name.value.trim(), where, { field: name });
  };
  const most = Math.max(0, Math.min(high - 1, 575));
  const bots = field(t("botsAt"), whole("bots", 0, most, 0));
  const bot = game.faces.length > 1 ? field(t("whichBot"), facePicker(game, "bot")) : facePicker(game, "bot");
  const place = field(t("yourSeat"), seat.element);
  const pair = h("button", { type: "submit", class: "quiet", "data-testid": "pair" }, t("withAnybody"));
  const hasFriends = high > 1 && !isHere;
  const form = h(
    "form",
    { class: "opening", "data-testid": "opening", onsubmit: once(submit) },
    hasFriends && h("p", { class: "faint" }, t("inviteText")),
    field(t("yourName"), name),
    low === high ? null : field(t("howManySeats"), whole("seats", low, high, game.usual_seats)),
    bots,
    bot,
    terms(game, place, ...(isHere ? [] : [clock.element])),
    h(
      "div",
      { class: "row" },
      h("button", { type: "submit", class: "brass", "data-testid": "open" }, t("openTable")),
      !isHere && pair,
    ),
  );
  const count = (): void => {
    const seats = Number(new FormData(form).get("seats") ?? game.usual_seats);
    seat.offer(seats);
    for (const element of [place, bots, pair]) element.hidden = seats < 2; // there is nobody else
    bot.hidden = seats < 2 || (!isHere && Number(new FormData(form).get("bots")) === 0);
    if (isHere) bots.hidden = true;
  };
  form.addEventListener("input", (event) => (event.target as Element).matches("[name=seats], [name=bots]") && count());
  count();
  const title = hasFriends ? t("withFriendsAt", { title: game.title }) : game.title;
  showDialog(title, t("close"), ...(waiting ? [waiting] : []), form);
}

/** What few want to change; it opens by itself where something in it is wrong, so that this is seen. */
function terms(game: GameView, ...first: HTMLElement[]): HTMLElement {
  const element = h(
    "details",
    { class: "terms" },
    h("summary", { "data-testid": "more-settings" }, t("moreSettings")),
    ...first,
    ...game.options.map((option) => field(capital(option.help), control(option))),
    asInTheRules(game),
    isHere ? null : tick("public", t("publicTable"), false), // friends were asked for
    tick("hints", t("hintsAllowed"), true),
  );
  const open = (): void => {
    element.open = true;
  };
  element.addEventListener("invalid", open, true);
  return element;
}

/** Tables where somebody waits for others. They come with the window or not at all, so that no button moves later. */
async function offered(game: GameView): Promise<HTMLElement> {
  const lines = await withTimeout(api.waiting(game.name), OFFERS_WITHIN).catch(() => []);
  const attributes = { class: "offered", hidden: lines.length === 0, "data-testid": "offered" };
  return h(
    "section",
    attributes,
    h("h3", {}, t("somebodyWaits")),
    h("div", { class: "lines" }, ...lines.map(tableLine)),
  );
}

/** One press from what is suggested to what the rules have. */
function asInTheRules(game: GameView): HTMLElement | null {
  const names = Object.keys(suggested(game));
  if (names.length === 0) return null;
  const other = game.options.filter(({ name }) => names.includes(name));
  const list = other.map((option) => option.default).join(", ");
  const attributes = { type: "button", class: "quiet", "data-testid": "as-in-rules" };
  const button = h("button", attributes, t("asInRules", { list }));
  button.addEventListener("click", () => {
    for (const option of other) {
      const control = button.form?.elements.namedItem(`option-${option.name}`);
      if (control instanceof HTMLInputElement && option.switch) control.checked = option.default !== 0;
      else if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement)
        control.value = String(option.default);
    }
  });
  return button;
}

function control(option: OptionView): HTMLElement {
  const name = `option-${option.name}`;
  if (option.switch) return h("input", { type: "checkbox", name, checked: option.suggested !== 0 });
  if (option.choices.length > 0) {
    return list(
      name,
      option.choices.map((value): [string, string] => [String(value), String(value)]),
      String(option.suggested),
    );
  }
  return whole(name, option.low, option.high, option.suggested);
}

function whole(name: string, low: number, high: number, now: number): HTMLElement {
  if (high - low > MANY) return h("input", { type: "number", name, min: low, max: high, value: now, required: true });
  const all = Array.from({ length: high - low + 1 }, (_, place): [string, string] => [
    String(low + place),
    String(low + place),
  ]);
  return list(name, all, String(now));
}

function list(name: string, entries: [string, string][], now: string): HTMLElement {
  return selectList(entries, now, { name });
}

function tick(name: string, label: string, on: boolean): HTMLElement {
  return tickField(label, h("input", { type: "checkbox", name, checked: on }));
}
