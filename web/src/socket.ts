/** The line to a table: it comes back by itself, and what was said on it is said again until it is answered. */

import { touches } from "./dom";
import { language } from "./language";
import type { Ack, HintAnswer, Reject, SocketMessage, TableMessage } from "./protocol";

export type Line = "connecting" | "open" | "lost" | "closed";
type WithoutCid<T> = T extends { cid: string } ? Omit<T, "cid"> : never;
export type Command = WithoutCid<SocketMessage>;
export type Answer = Ack | Reject | HintAnswer;

export interface Ears {
  heard(message: TableMessage): void;
  line(state: Line): void;
}

const PING = 8000;
const PONG = 4000; // longer than that without an answer, and the line counts as lost
const WAITS = [300, 700, 1500, 3000, 5000];
const AGAIN = new Set(["not_saved", "busy"]); // refused for now: the same may work in a moment

interface Pending {
  command: SocketMessage;
  done(answer: Answer): void;
}

export class Socket {
  private socket: WebSocket | null = null;
  private pending = new Map<string, Pending>();
  private failures = 0;
  private pinging = 0;
  private waiting = 0;
  private overdue = 0;
  private closed = false;

  constructor(
    private readonly table: string,
    private readonly token: string | null,
    private readonly ears: Ears,
  ) {
    window.addEventListener("offline", this.drop);
    window.addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
    this.connect();
  }

  /** Say a command, however often it takes; the answer is the server's. */
  say(command: Command): Promise<Answer> {
    const cid = newCid();
    return new Promise((done) => {
      this.pending.set(cid, { command: { ...command, cid }, done });
      this.send({ ...command, cid });
    });
  }

  /** Ask for everything anew. */
  hello(): void {
    const who = this.token ? { token: this.token } : {};
    this.send({ type: "hello", version: 1, pictures: true, undoable: touches(), language: language(), ...who });
  }

  close(): void {
    this.closed = true;
    clearInterval(this.pinging);
    clearTimeout(this.waiting);
    clearTimeout(this.overdue);
    window.removeEventListener("offline", this.drop);
    window.removeEventListener("online", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
    this.socket?.close();
  }

  private connect(): void {
    clearTimeout(this.waiting);
    this.ears.line("connecting");
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${encodeURIComponent(this.table)}/live`);
    this.socket = socket;
    socket.onopen = () => this.hello();
    socket.onmessage = (event) => socket === this.socket && this.hear(JSON.parse(event.data as string) as TableMessage);
    socket.onclose = () => socket === this.socket && this.lost();
  }

  private hear(message: TableMessage): void {
    clearTimeout(this.overdue);
    if (message.type === "welcome") this.arrived();
    if (message.type === "bye") this.closed = true;
    if (message.type === "ack" || message.type === "hint") this.answered(message);
    else if (message.type === "reject") this.refused(message);
    if (message.type !== "pong" && message.type !== "ack") this.ears.heard(message);
    if (message.type === "bye") this.ears.line("closed");
  }

  private arrived(): void {
    this.failures = 0;
    this.ears.line("open");
    clearInterval(this.pinging);
    this.pinging = window.setInterval(() => this.ping(), PING);
    for (const { command } of this.pending.values()) this.send(command);
  }

  private answered(answer: Answer): void {
    const pending = answer.cid === null ? undefined : this.pending.get(answer.cid);
    if (answer.cid !== null) this.pending.delete(answer.cid);
    pending?.done(answer);
  }

  private refused(answer: Reject): void {
    const pending = answer.cid === null ? undefined : this.pending.get(answer.cid);
    if (pending && AGAIN.has(answer.code)) window.setTimeout(() => this.send(pending.command), 1000);
    else this.answered(answer);
  }

  private ping(): void {
    this.send({ type: "ping" });
    clearTimeout(this.overdue);
    this.overdue = window.setTimeout(this.drop, PONG);
  }

  /** Nothing comes any more, whatever the browser says: begin anew. */
  private readonly drop = (): void => {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.lost();
  };

  private readonly hurry = (): void => {
    if (!this.closed && this.socket === null && document.visibilityState === "visible") this.connect();
  };

  private lost(): void {
    clearInterval(this.pinging);
    clearTimeout(this.overdue);
    this.socket = null;
    if (this.closed) return;
    this.ears.line("lost");
    clearTimeout(this.waiting);
    const wait = WAITS[Math.min(this.failures, WAITS.length - 1)] ?? 5000;
    this.failures += 1;
    this.waiting = window.setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
  }

  private send(message: SocketMessage): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}

let said = 0;
const client = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(36)).join("");

function newCid(): string {
  said += 1;
  return `${client}-${said}`;
}
