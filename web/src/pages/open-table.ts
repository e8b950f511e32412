/** Opening a table: how many seats, which options, what clock, who else; and sitting down at one. */

import * as api from "../api";
import { clockField } from "../clock-field";
import { cancelButton, showDialog } from "../dialog";
import { h, once } from "../dom";
import { facePicker } from "../faces";
import { field, selectList, tickField } from "../form";
import { t } from "../language";
import { tableLine } from "../lobby/table-lines";
import { checkName } from "../names";
import { navigate } from "../page";
import type { GameView, OpenTable, OptionView } from "../protocol";
import { MANY, seatChoice, seatWish } from "../seat-field";
import { heldSeat, saveSettings, settings } from "../storage";
import { wishOf } from "../table-wish";
import { takeSeat, type Where } from "../take-seat";
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
  await openAndSit({ game: game.name, bots }, settings().name);
}

/** One click: a table where somebody waits for the same, or one where you wait for them. */
export async function playWithAnybody(game: GameView): Promise<void> {
  await pairAndSit({ game: game.name }, settings().name, { lot: true });
}

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
  const waiting = await offered(game);
  const submit = async (event: Event): Promise<void> => {
    saveSettings({ name: name.value.trim() });
    const given = new FormData(form);
    const isAnybody = (event as SubmitEvent).submitter?.dataset.testid === "pair";
    const [wish, where] = [wishOf(game, given, clock.read()), seatWish(given.get("seat"), high > MANY)];
    if (isAnybody) await pairAndSit({ ...wish, bots: {}, public: true }, name.value.trim(), where, name);
    else await openAndSit(wish, name.value.trim(), where, { field: name });
  };
  const company = [
    field(t("yourSeat"), seat.element),
    field(t("botsAt"), whole("bots", 0, Math.max(0, Math.min(high - 1, 575)), 0)),
    game.faces.length > 1 ? field(t("whichBot"), facePicker(game, "bot")) : facePicker(game, "bot"),
  ];
  const pair = h("button", { type: "submit", class: "quiet", "data-testid": "pair" }, t("withAnybody"));
  const form = h(
    "form",
    { class: "opening", "data-testid": "opening", onsubmit: once(submit) },
    field(t("yourName"), name),
    low === high ? null : field(t("howManySeats"), whole("seats", low, high, game.usual_seats)),
    ...company,
    ...game.options.map((option) => field(`${option.help}`, control(option))),
    clock.element,
    tick("public", t("publicTable"), true),
    tick("hints", t("hintsAllowed"), true),
    h(
      "div",
      { class: "row" },
      h("button", { type: "submit", class: "brass", "data-testid": "open" }, t("openTable")),
      pair,
      cancelButton(t("cancel")),
    ),
  );
  const count = (): void => {
    const seats = Number(new FormData(form).get("seats") ?? game.usual_seats);
    seat.offer(seats);
    for (const element of [...company, pair]) element.hidden = seats < 2; // there is nobody else
  };
  form.addEventListener("change", (event) => (event.target as Element).matches("[name=seats]") && count());
  count();
  showDialog(game.title, t("close"), waiting, form);
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

function control(option: OptionView): HTMLElement {
  const name = `option-${option.name}`;
  if (option.switch) return h("input", { type: "checkbox", name, checked: option.default !== 0 });
  if (option.choices.length > 0) {
    return list(
      name,
      option.choices.map((value): [string, string] => [String(value), String(value)]),
      String(option.default),
    );
  }
  return whole(name, option.low, option.high, option.default);
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
