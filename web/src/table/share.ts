/** Links to a table: to play, to watch, to go on elsewhere; as text and as a code to point a phone at. */

import { reachable } from "../api";
import { copy } from "../clipboard";
import { showDialog } from "../dialog";
import { fill, h, s } from "../dom";
import { t } from "../language";
import { shownCode } from "../links";
import type { TableView } from "../protocol";
import { at } from "../root";
import { heldSeat } from "../storage";

/** The link that lets somebody sit down, as far as this browser knows it. */
export function playLink(table: TableView): string {
  const invite = heldSeat(table.id)?.invite;
  return watchLink(table) + (!table.public && invite ? `#invite=${invite}` : "");
}

export function watchLink(table: TableView): string {
  return location.origin + at(`/table/${table.id}`);
}

/** The code to type, large enough to be read aloud across the room; nothing if the table has none. */
export function codeLine({ code }: TableView): HTMLElement | null {
  if (!code) return null;
  return h("p", { class: "code" }, `${t("code")} `, h("output", { "data-testid": "code" }, shownCode(code)));
}

/** A link with its code and its buttons. */
export function shareRow(link: string, testid: string): HTMLElement {
  const field = h("input", { value: link, readonly: true, "aria-label": t("link"), "data-testid": testid });
  field.addEventListener("focus", () => field.select());
  const code = h("div", { class: "qr", role: "img", "aria-label": t("qrCode") });
  const why = h("p", { class: "faint", hidden: true, "data-testid": "only-here" }, t("onlyHere"));
  void showCode(link, field, code, why);
  const copying = h("button", { type: "button", class: "quiet", onclick: () => void copy(field.value) }, t("copy"));
  const share =
    "share" in navigator &&
    h("button", { type: "button", class: "quiet", onclick: () => void shareBySystem(field.value) }, t("share"));
  return h("div", { class: "linked" }, code, why, h("div", { class: "row" }, field, copying, share));
}

/** Draw the code of an address that others can reach. If there is none, say why. */
async function showCode(link: string, field: HTMLInputElement, code: HTMLElement, why: HTMLElement): Promise<void> {
  try {
    const origin = await reachable();
    why.hidden = origin !== null;
    if (origin === null) return code.remove();
    field.value = link.replace(location.origin, origin);
    await drawCode(code, field.value);
  } catch {
    code.remove(); // the link itself is there
  }
}

async function drawCode(place: HTMLElement, link: string): Promise<void> {
  const { encode } = await import("uqr");
  const { data, size } = encode(link, { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  fill(place, s("svg", { viewBox: `0 0 ${size} ${size}`, "shape-rendering": "crispEdges" }, s("path", { d: path })));
}

async function shareBySystem(link: string): Promise<void> {
  await navigator.share({ url: link, title: "Parlour" }).catch(() => undefined);
}

/** Everything that can be shared of a table, in a window. */
export function showSharing(table: TableView): void {
  const parts: Node[] = [h("h3", {}, t("watchLink")), shareRow(watchLink(table), "watch-link")];
  const token = heldSeat(table.id)?.token;
  if (token && table.phase !== "over") {
    const link = `${watchLink(table)}#seat=${token}`;
    parts.push(
      h("h3", {}, t("otherDevice")),
      h("p", { class: "faint" }, t("otherDeviceText")),
      shareRow(link, "seat-link"),
    );
  }
  const code = codeLine(table);
  if (table.phase === "open") parts.unshift(h("h3", {}, t("playLink")), shareRow(playLink(table), "play-link"));
  if (code) parts.unshift(code);
  showDialog(t("share"), t("close"), ...parts);
}
