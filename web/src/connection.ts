/** The connection to a table: it comes back by itself, and what was sent on it is sent again until it is answered. */

import { touches } from "./dom";
import { connect, isHere, type Socket } from "./house";
import { language } from "./language";
import type { Ack, HintAnswer, Reject, SocketMessage, TableMessage } from "./protocol";
import { Scenes } from "./scene";
import { onSettings, type Settings, settings } from "./storage";

export type ConnectionState = "connecting" | "open" | "lost" | "closed";
type WithoutCid<T> = T extends { cid: string } ? Omit<T, "cid"> : never;
export type Command = WithoutCid<SocketMessage>;
export type Answer = Ack | Reject | HintAnswer;

export interface ConnectionListener {
  onMessage(message: TableMessage): void;
  onState(state: ConnectionState): void;
}

// All in milliseconds.
const PING_EVERY = 8000;
const ANSWER_WITHIN = 4000; // longer than that without a word, and the connection counts as lost
const WELCOME_WITHIN = [5000, 8000, 12_000, 20_000]; // from the first try on: a slow line gets more time each time
const RETRY_AFTER = [300, 700, 1500, 3000, 5000];
const RESEND_AFTER = 1000;
const RESEND = new Set(["not_saved", "busy"]); // a command refused for now: the same may work in a moment
const RETURN = new Set(["too_many", "too_fast", "busy"]); // turned away for now: come again

interface Pending {
  command: SocketMessage;
  resolve(answer: Answer): void;
}

export class Connection {
  private socket: Socket | null = null;
  private pending = new Map<string, Pending>();
  private failures = 0;
  private welcomed = false;
  private closed = false;
  private pinging = 0;
  private retry = 0;
  private overdue = 0;
  private chances = false; // whether win chances are asked for
  private pace = wantedPace(); // in which bots are to play
  private readonly stopHeeding = onSettings(() => this.keepPace());

  constructor(
    private readonly table: string,
    private readonly token: string | null,
    private readonly listener: ConnectionListener,
  ) {
    if (!isHere) window.addEventListener("offline", this.drop);
    window.addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
    this.connect();
  }

  /** Send a command, however often it takes; the answer is the server's. */
  send(command: Command): Promise<Answer> {
    const cid = newCid();
    const whole = { ...command, cid };
    return new Promise((resolve) => {
      this.pending.set(cid, { command: whole, resolve });
      if (this.welcomed) this.transmit(whole);
    });
  }

  /** Ask for the whole table anew. */
  hello(): void {
    const who = this.token ? { token: this.token } : {};
    const { chances, pace } = this;
    const wish = { pictures: true, patches: true, undoable: touches(), language: language(), chances, pace };
    this.transmit({ type: "hello", version: 2, ...wish, ...who });
    if (this.welcomed) this.expectAnswer(ANSWER_WITHIN);
  }

  /** Have win chances told from now on, or no more. */
  askChances(chances: boolean): void {
    this.chances = chances;
    this.hello();
  }

  /** Let bots play without pauses until it is a person's turn, if nobody else at the table wants to see them. */
  hurryBots(): void {
    this.transmit({ type: "hurry" });
  }

  /** Bots play as fast as the settings say. */
  private keepPace(): void {
    const pace = wantedPace();
    if (pace === this.pace) return;
    this.pace = pace;
    if (this.welcomed) this.hello();
  }

  close(): void {
    this.closed = true;
    this.stopHeeding();
    this.stopTimers();
    window.removeEventListener("offline", this.drop);
    window.removeEventListener("online", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
    this.socket?.close();
  }

  private connect(): void {
    this.stopTimers();
    this.listener.onState("connecting");
    const socket = connect(`/api/tables/${encodeURIComponent(this.table)}/live`);
    const scenes = new Scenes();
    this.socket = socket;
    this.expectAnswer(atMost(WELCOME_WITHIN, this.failures));
    socket.onopen = () => socket === this.socket && this.hello();
    socket.onmessage = (event) =>
      socket === this.socket && this.receive(scenes.whole(JSON.parse(event.data as string) as TableMessage));
    socket.onclose = () => socket === this.socket && this.lost();
  }

  private receive(message: TableMessage): void {
    if (message.type === "bye" && RETURN.has(message.code)) return; // the socket is closed next
    if (message.type === "welcome") this.onWelcome();
    if (this.welcomed) clearTimeout(this.overdue);
    if (message.type === "bye") this.closed = true;
    if (message.type === "ack" || message.type === "hint") this.resolve(message);
    else if (message.type === "reject") this.onReject(message);
    if (message.type !== "pong" && message.type !== "ack") this.listener.onMessage(message);
    if (message.type === "bye") this.listener.onState("closed");
  }

  private onWelcome(): void {
    this.failures = 0;
    if (!this.welcomed) for (const { command } of this.pending.values()) this.transmit(command);
    this.welcomed = true;
    this.listener.onState("open");
    clearInterval(this.pinging);
    this.pinging = window.setInterval(() => this.ping(), PING_EVERY);
  }

  private onReject(answer: Reject): void {
    const pending = answer.cid === null ? undefined : this.pending.get(answer.cid);
    if (pending && RESEND.has(answer.code)) window.setTimeout(() => this.transmit(pending.command), RESEND_AFTER);
    else this.resolve(answer);
  }

  private resolve(answer: Answer): void {
    if (answer.cid === null) return;
    const pending = this.pending.get(answer.cid);
    this.pending.delete(answer.cid);
    pending?.resolve(answer);
  }

  private ping(): void {
    this.transmit({ type: "ping" });
    this.expectAnswer(ANSWER_WITHIN);
  }

  /** Whatever the browser says of the socket: without a word in this time it is of no use. */
  private expectAnswer(within: number): void {
    clearTimeout(this.overdue);
    if (!isHere) this.overdue = window.setTimeout(this.drop, within);
  }

  private readonly drop = (): void => {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.lost();
  };

  /** Somebody is looking, or the network is back: do not wait for the next try or the next ping. */
  private readonly hurry = (): void => {
    if (this.closed || document.visibilityState !== "visible") return;
    if (this.socket === null) this.connect();
    else if (this.welcomed) this.ping();
  };

  private lost(): void {
    this.stopTimers();
    this.socket = null;
    this.welcomed = false;
    if (this.closed) return;
    this.listener.onState("lost");
    const wait = atMost(RETRY_AFTER, this.failures);
    this.failures += 1;
    this.retry = window.setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
  }

  private stopTimers(): void {
    clearInterval(this.pinging);
    clearTimeout(this.retry);
    clearTimeout(this.overdue);
  }

  private transmit(message: SocketMessage): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}

/** As fast as things are to move here; whatever a browser may have kept, the server understands it. */
function wantedPace(): Settings["speed"] {
  const { speed } = settings();
  return speed === "fast" || speed === "off" ? speed : "normal";
}

const atMost = (all: readonly number[], place: number): number => all[Math.min(place, all.length - 1)] ?? 0;

let sent = 0;
const client = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(36)).join("");

function newCid(): string {
  sent += 1;
  return `${client}-${sent}`;
}
