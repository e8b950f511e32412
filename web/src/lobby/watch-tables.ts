/** The tables of others, as the server tells of them. */

import { showNotice } from "../notice";
import type { Bye, LobbyChange, LobbyView, TableLine } from "../protocol";
import { at } from "../root";
import { listAfter } from "../table-list";

const PAUSE = 2000; // milliseconds before another try

/** Hears of tables as they change, and shows what says that the server is lost. */
export class TableWatch {
  private socket: WebSocket | null = null;
  private tables: TableLine[] = [];
  private timer = 0;
  private visits = 0; // of two that are connected at the same time, the later counts

  /** `query` says which tables are wanted. */
  constructor(
    private readonly query: () => Promise<string>,
    private readonly onTables: (tables: TableLine[]) => Promise<void>,
    private readonly lost: HTMLElement,
  ) {}

  /** Begin, or begin anew with what is wanted now. */
  async connect(): Promise<void> {
    this.stop();
    const visit = this.visits;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const query = await this.query();
    if (visit !== this.visits) return;
    const socket = new WebSocket(`${scheme}://${location.host}${at("/api/lobby/live")}?${query}`);
    this.socket = socket;
    socket.onmessage = (event) => this.hear(JSON.parse(event.data as string) as LobbyView | LobbyChange | Bye);
    socket.onclose = () => {
      if (visit !== this.visits) return;
      this.lost.hidden = false;
      this.timer = window.setTimeout(() => void this.connect(), PAUSE);
    };
  }

  private hear(message: LobbyView | LobbyChange | Bye): void {
    if (message.type === "bye") return; // the socket is closed next, and tries again
    this.lost.hidden = true;
    if (message.type === "lobby") showNotice("");
    else if (message.notice !== undefined && message.notice !== null) showNotice(message.notice);
    this.tables = listAfter(this.tables, message);
    void this.onTables(this.tables);
  }

  stop(): void {
    this.visits += 1;
    clearTimeout(this.timer);
    const socket = this.socket;
    this.socket = null;
    if (socket) socket.onmessage = socket.onclose = null;
    socket?.close();
  }
}
