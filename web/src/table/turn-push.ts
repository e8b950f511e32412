/** "Tell me when it is my turn": by a push message, also when the page is closed. Off until somebody turns it on. */

import * as api from "../api";
import { h } from "../dom";
import { language, t } from "../language";
import { askPermission, worker } from "../notifications";
import { errorText } from "../pages/error";
import type { TableView } from "../protocol";
import { heldSeat, holdSeat } from "../storage";
import { toast } from "../toast";
import { isPlaying } from "./model";

const SLOW = 3600; // seconds a turn, from which on people go away between turns

/** Whether somebody may well be away when their turn comes. */
export const isSlow = ({ clock }: Pick<TableView, "clock">): boolean => clock.kind === "none" || clock.seconds >= SLOW;

const mayComeToMove = (table: TableView): boolean => table.phase === "open" || isPlaying(table);

const isPossible = (): boolean => "PushManager" in window && "Notification" in window && !!navigator.serviceWorker;

/** The item of the menu. It is shown only where browser and server can do it, and turns may be slow. */
export class TurnPush {
  readonly element: HTMLButtonElement;
  private key: Promise<string> | null = null;
  private table: TableView | null = null;

  constructor() {
    this.element = h(
      "button",
      { type: "button", role: "switch", class: "switch", hidden: true, "data-testid": "turn-push" },
      t("tellMyTurn"),
    );
    this.element.addEventListener("click", () => void this.toggle());
  }

  render(table: TableView): void {
    const isNew = table.you !== null && this.table?.you !== table.you;
    this.table = table;
    if (isNew && this.isOn && this.isWanted && Notification.permission === "granted") void this.refresh();
    if (!this.isWanted) this.element.hidden = true;
    this.showState();
  }

  /** Show the item, if the server can do it: the menu is open. */
  async offer(): Promise<void> {
    if (this.isWanted) this.element.hidden = (await this.askKey()) === "";
  }

  private get isWanted(): boolean {
    const { table } = this;
    return table !== null && table.you !== null && mayComeToMove(table) && isSlow(table) && isPossible();
  }

  private get isOn(): boolean {
    return this.table !== null && heldSeat(this.table.id)?.push === true;
  }

  private showState(): void {
    this.element.setAttribute("aria-checked", String(this.isOn));
  }

  private askKey(): Promise<string> {
    this.key ??= api.pushKey().catch(() => "");
    return this.key;
  }

  /** The browser's subscription may have changed since it was told. */
  private async refresh(): Promise<void> {
    const key = await this.askKey();
    if (key) await this.subscribe(key).catch(() => undefined);
  }

  private async toggle(): Promise<void> {
    const { table } = this;
    if (!table || this.element.ariaBusy === "true") return;
    this.element.ariaBusy = "true";
    try {
      if (this.isOn) await this.turnOff(table);
      else await this.turnOn(table);
    } catch (error) {
      toast(error instanceof DOMException ? t("pushFailed") : errorText(error), "error");
    } finally {
      this.element.ariaBusy = "false";
      this.showState();
    }
  }

  private async turnOn(table: TableView): Promise<void> {
    const key = await this.askKey();
    if (!key) return;
    if (!(await askPermission())) return toast(t("notifyRefused"), "error");
    await this.subscribe(key);
    remember(table.id, true);
    toast(t("pushOn"));
  }

  private async subscribe(key: string): Promise<void> {
    const { table } = this;
    const { pushManager } = await worker();
    const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const { endpoint = "", keys = {} } = subscription.toJSON();
    const { p256dh = "", auth = "" } = keys;
    if (table) await api.pushTo(table.id, token(table.id), { endpoint, p256dh, auth, language: language() });
  }

  /** Other tables may still use the browser's subscription: only this one lets it go. */
  private async turnOff(table: TableView): Promise<void> {
    const subscription = await (await worker()).pushManager.getSubscription();
    await api.endPush(table.id, token(table.id), { endpoint: subscription?.endpoint ?? null });
    remember(table.id, false);
    toast(t("pushOff"));
  }
}

const token = (table: string): string => heldSeat(table)?.token ?? "";

function remember(table: string, push: boolean): void {
  const held = heldSeat(table);
  if (held) holdSeat(table, { ...held, push });
}
