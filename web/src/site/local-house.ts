/** The house where there is no server: what is always the same lies in files, and an engine in a worker does the rest. */

import type { House, Socket } from "../house";
import { t } from "../language";
import { sayLoading } from "../offline";
import { at } from "../root";
import { toast } from "../toast";
import type { FromEngine, ToEngine } from "./messages";

const TABLE = /^\/api\/tables\/([^/]+)\/live$/;

export class LocalHouse implements House {
  readonly ready: Promise<void>;
  private readonly engine: Worker;
  private readonly answers: Promise<Record<string, string>>;
  private readonly asked = new Map<number, (answer: Response) => void>();
  private readonly visits = new Map<number, LocalSocket>();
  private count = 0;
  private isReady = false;

  /** The names of the folders with the engine, and with the answers that are always the same. */
  constructor(
    engine: string,
    private readonly kept: string,
  ) {
    this.answers = fetch(at(`/${kept}/answers.json`)).then((answer) => answer.json());
    this.engine = new Worker(new URL("./engine.ts", import.meta.url), { type: "module" });
    this.ready = new Promise((resolve, reject) => {
      this.engine.onerror = () => reject(new Error(t("engineTrouble")));
      this.engine.onmessage = (event: MessageEvent<FromEngine>) => {
        const { data } = event;
        if (data.kind === "ready") {
          this.isReady = true;
          resolve();
        } else if (data.kind === "trouble") reject(new Error(data.message));
        else this.hear(data);
      };
    });
    this.ready.catch(() => toast(t("engineTrouble"), "error"));
    this.tell({ kind: "begin", folder: new URL(at(`/${engine}/`), location.href).href });
  }

  private tell(message: ToEngine): void {
    this.engine.postMessage(message);
  }

  async ask(path: string, { method = "GET", headers, body }: RequestInit): Promise<Response> {
    const file = method === "GET" ? (await this.answers)[path] : undefined;
    if (file) return fetch(at(`/${this.kept}/${file}`));
    await this.waitForEngine();
    this.count += 1;
    const id = this.count;
    const token = new Headers(headers).get("authorization")?.replace("Bearer ", "") ?? "";
    return new Promise((resolve) => {
      this.asked.set(id, resolve);
      this.tell({ kind: "ask", id, method, address: path, body: (body as string | undefined) ?? "", token });
    });
  }

  private async waitForEngine(): Promise<void> {
    if (this.isReady) return;
    sayLoading(true);
    await this.ready.finally(() => sayLoading(false));
  }

  connect(path: string): Socket {
    this.count += 1;
    const id = this.count;
    const socket = new LocalSocket(
      (text) => this.tell({ kind: "say", id, text }),
      () => {
        this.visits.delete(id);
        this.tell({ kind: "leave", id });
      },
    );
    this.visits.set(id, socket);
    const table = decodeURIComponent(TABLE.exec(path)?.[1] ?? "");
    this.ready.then(
      () => {
        this.tell({ kind: "enter", id, table });
        socket.open();
      },
      () => socket.end(),
    );
    return socket;
  }

  private hear(message: FromEngine): void {
    if (message.kind === "answer") {
      const [status, kind, text] = JSON.parse(message.answer) as [number, string, string];
      this.asked.get(message.id)?.(new Response(text, { status, headers: { "content-type": kind } }));
      this.asked.delete(message.id);
    } else if (message.kind === "told") this.visits.get(message.id)?.hear(message.text);
    else if (message.kind === "closed") this.visits.get(message.id)?.end();
  }
}

/** What looks like a WebSocket to the pages. */
class LocalSocket implements Socket {
  onopen: Socket["onopen"] = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  readyState: number = WebSocket.CONNECTING;

  constructor(
    readonly send: (text: string) => void,
    private readonly leave: () => void,
  ) {}

  open(): void {
    if (this.readyState !== WebSocket.CONNECTING) return;
    this.readyState = WebSocket.OPEN;
    this.onopen?.(new Event("open"));
  }

  hear(text: string): void {
    if (this.readyState === WebSocket.OPEN) this.onmessage?.(new MessageEvent("message", { data: text }));
  }

  end(): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    this.leave();
    this.onclose?.(new CloseEvent("close"));
  }

  close(): void {
    this.end();
  }
}
