/** Opening a table: how many seats, which options, what clock, who else; and sitting down at one. */

import * as api from "../api";
import { CLOCKS, NO_CLOCK } from "../clocks";
import { cancelButton, showDialog } from "../dialog";
import { h, once } from "../dom";
import { facePicker } from "../faces";
import { field, selectList, tickField } from "../form";
import { t } from "../language";
import { checkName } from "../names";
import { navigate } from "../page";
import type { GameView, OpenTable, OptionView } from "../protocol";
import { saveSettings, settings } from "../storage";
import { takeSeat } from "../take-seat";
import { toast } from "../toast";
import { errorText } from "./error";

const MANY = 12; // numbers that fit a list; more are typed

/** Open a table, sit down at it, and go there. What goes wrong is said. */
export async function openAndSit(
  wish: OpenTable,
  name: string,
  opened: (table: string) => void = () => undefined,
): Promise<void> {
  try {
    const named = name || t("guest");
    const { table, invite } = await api.open({ ...wish, name: named });
    await takeSeat(table.id, named, invite);
    opened(table.id);
    await navigate(`/table/${table.id}`);
  } catch (error) {
    toast(errorText(error), "error");
  }
}

/** One click: a table with the usual bot at every other seat. */
export async function playNow(game: GameView): Promise<void> {
  const bots: Record<string, string> = {};
  for (let seat = 1; seat < game.usual_seats; seat += 1) bots[String(seat)] = game.usual_bot;
  await openAndSit({ game: game.name, bots }, settings().name);
}

/** Ask how the table shall be, and open it. */
export function showOpenTable(game: GameView): void {
  const attributes = { name: "name", value: settings().name, autocomplete: "nickname", placeholder: t("guest") };
  const name = checkName(h("input", attributes));
  const [low, high] = game.seats;
  const clocks = Object.keys(CLOCKS).map((kind): [string, string] => [kind, t(`clock_${kind}` as "clock_none")]);
  const submit = async (): Promise<void> => {
    saveSettings({ name: name.value.trim() });
    await openAndSit(wishOf(game, new FormData(form)), name.value.trim());
  };
  const form = h(
    "form",
    { class: "opening", "data-testid": "opening", onsubmit: once(submit) },
    field(t("yourName"), name),
    low === high ? null : field(t("howManySeats"), whole("seats", low, high, game.usual_seats)),
    field(t("botsAt"), whole("bots", 0, Math.min(high - 1, 575), 0)),
    game.faces.length > 1 ? field(t("whichBot"), facePicker(game, "bot")) : facePicker(game, "bot"),
    ...game.options.map((option) => field(`${option.help}`, control(option))),
    field(t("clock"), list("clock", clocks, "none")),
    tick("public", t("publicTable"), true),
    tick("hints", t("hintsAllowed"), true),
    h(
      "div",
      { class: "row" },
      h("button", { type: "submit", class: "brass", "data-testid": "open" }, t("openTable")),
      cancelButton(t("cancel")),
    ),
  );
  showDialog(game.title, t("close"), form);
}

/** The form as the server wants it. You sit at the first seat, bots at the last ones. */
export function wishOf(game: GameView, given: FormData): OpenTable {
  const seats = Number(given.get("seats") ?? game.usual_seats);
  const bots: Record<string, string> = {};
  for (let seat = seats - 1; seat >= Math.max(1, seats - Number(given.get("bots"))); seat -= 1) {
    bots[String(seat)] = String(given.get("bot"));
  }
  const options: Record<string, number | boolean> = {};
  for (const option of game.options) {
    const value = given.get(`option-${option.name}`);
    options[option.name] = option.switch ? value !== null : Number(value);
  }
  return {
    game: game.name,
    seats,
    options,
    bots,
    clock: CLOCKS[String(given.get("clock"))] ?? NO_CLOCK,
    public: given.get("public") !== null,
    hints: given.get("hints") !== null,
  };
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
