/** What you do at a table: every command is sent once, and its refusal is said. */

import * as api from "../api";
import type { Command, Connection } from "../connection";
import { confirmDialog } from "../dialog";
import { newNonce, sealOf } from "../fair";
import { refusal, t } from "../language";
import { navigate } from "../page";
import { errorText } from "../pages/error";
import type { Ack, HintAnswer, HintLine } from "../protocol";
import { sound } from "../sound";
import { forgetSeat, heldSeat, holdSeat } from "../storage";
import { toast } from "../toast";
import { type Model, mayChoose, plyOf } from "./model";
import type { Reaction } from "./reactions";

export class TableActions {
  private readonly unanswered = new Set<Command["type"]>();
  private wantsRematch = false;

  /** `model` tells how the table is now, `hinted` shows what a hint says, `thinking` that one is awaited. */
  constructor(
    private readonly connection: Connection,
    private readonly model: () => Model,
    private readonly hinted: (hints: HintLine[]) => void,
    private readonly thinking: (isThinking: boolean) => void,
  ) {}

  /** Send a command. Gives its acknowledgement, or null if it was refused or is under way already. */
  async send(command: Command): Promise<Ack | HintAnswer | null> {
    if (this.unanswered.has(command.type) && command.type !== "chat") return null;
    this.unanswered.add(command.type);
    const answer = await this.connection.send(command);
    this.unanswered.delete(command.type);
    if (answer.type !== "reject") return answer;
    toast(refusal(answer), "error");
    sound("error");
    if (answer.code === "stale") this.connection.hello();
    return null;
  }

  /** Play at a ply. Gives the number of the entry in the log, or null if it was refused. */
  async act(
    ply: number,
    chosen: { action: number } | { actions: number[] } | { text: string },
  ): Promise<number | null> {
    const answer = await this.send({ type: "act", ply, ...chosen });
    return answer?.type === "ack" ? answer.number : null;
  }

  /** All have sat down: show the nonce that was sealed, so that the match begins. */
  async reveal(): Promise<void> {
    const { id, you, phase, seats } = this.model().table;
    const mine = you === null ? undefined : seats[you];
    const isFull = seats.every((seat) => seat.kind === "person" || seat.kind === "bot");
    const nonce = heldSeat(id)?.nonce;
    if (phase !== "open" || !isFull || !mine?.seal || mine.nonce || !nonce) return;
    await this.send({ type: "reveal", nonce });
  }

  /** Take the last choice back, or so many. */
  async undo(choices = 1): Promise<void> {
    const model = this.model();
    if (model.table.may_undo) await this.send({ type: "undo", ply: plyOf(model), choices });
  }

  /** The rest of this turn, as the game's own bot would play it; null if that was not told. */
  async plan(): Promise<number[] | null> {
    const ply = plyOf(this.model());
    const answer = await this.send({ type: "hint", turn: true });
    return answer?.type === "hint" && answer.ply === ply ? (answer.turn ?? []) : null;
  }

  async hint(): Promise<void> {
    const asked = this.model();
    if (!mayChoose(asked) || !asked.table.hints || this.unanswered.has("hint")) return;
    this.thinking(true);
    const answer = await this.send({ type: "hint" });
    this.thinking(false);
    if (answer?.type === "hint" && answer.ply === plyOf(this.model())) this.hinted(answer.best);
  }

  async answerDraw(answer: "offer" | "accept" | "decline"): Promise<void> {
    await this.send({ type: "draw", answer });
  }

  async comeBack(): Promise<void> {
    await this.send({ type: "back" });
  }

  async say(text: string): Promise<void> {
    await this.send({ type: "chat", text });
  }

  async react(reaction: Reaction): Promise<void> {
    await this.send({ type: "chat", reaction });
  }

  resign(): void {
    confirmDialog(t("sureResign"), t("resign"), t("cancel"), () => void this.send({ type: "resign" }));
  }

  leave(): void {
    confirmDialog(t("sureLeave"), t("leaveSeat"), t("cancel"), () => void this.leaveForGood());
  }

  private async leaveForGood(): Promise<void> {
    if (!(await this.send({ type: "leave" }))) return;
    forgetSeat(this.model().table.id);
    await navigate("/");
  }

  /** To the rematch, if there is one; else ask for it. */
  async rematch(): Promise<void> {
    const { rematch, you, id } = this.model().table;
    if (rematch && (you === null || !heldSeat(id))) await navigate(`/table/${rematch}`);
    else if (rematch) await this.joinRematch(rematch);
    else {
      this.wantsRematch = true;
      await this.send({ type: "rematch" });
    }
  }

  /** There is a rematch now. Whoever asked for it goes there. */
  async rematchOpened(): Promise<void> {
    if (this.wantsRematch) await this.rematch();
  }

  private async joinRematch(rematch: string): Promise<void> {
    const { id, you, seats } = this.model().table;
    const held = heldSeat(id);
    if (!held || you === null) return;
    const { over, ...kept } = held;
    const nonce = newNonce();
    try {
      const wish = { name: seats[you]?.name ?? t("guest"), seal: sealOf(nonce) };
      const { seat } = await api.sit(rematch, wish, held.token);
      holdSeat(rematch, { ...kept, seat, nonce, at: Date.now() });
    } catch (error) {
      if (!(error instanceof api.Refused) || error.code !== "seat_taken") return toast(errorText(error), "error");
      // Another tab was faster, and knows the nonce.
      if (!heldSeat(rematch)) holdSeat(rematch, { ...kept, at: Date.now() });
    }
    await navigate(`/table/${rematch}`);
  }
}
