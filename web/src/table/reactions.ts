/** Reactions: a few words that are said by a press or a key, and shown for a moment at the seat that says them. */

import { h, ICONS, iconButton } from "../dom";
import { t } from "../language";
import type { Chat, TableView } from "../protocol";

export type Reaction = NonNullable<Chat["reaction"]>;

const REACTIONS = ["hello", "luck", "nice", "thanks", "wow", "oops"] as const satisfies readonly Reaction[];
const LIST = "reactions";
const SHOWN = 4000; // milliseconds
const WIDE = 290; // pixels, at most, that the list takes
const GAP = 6; // pixels between a seat, or the button, and what is shown below it

/** The words of a reaction; nothing of one that this page does not know. */
function wordsOf(name: unknown): string {
  const known = REACTIONS.find((one) => one === name);
  return known ? t(`react_${known}`) : "";
}

export class Reactions {
  readonly button: HTMLButtonElement;
  readonly element: HTMLElement; // what there is to say, and what was said
  private readonly list: HTMLElement;
  private readonly timers = new Set<number>();

  constructor(private readonly react: (reaction: Reaction) => Promise<void>) {
    const attributes = { popovertarget: LIST, hidden: true, "data-testid": "react" };
    this.button = iconButton(ICONS.smile, t("react"), attributes);
    this.list = h("div", { id: LIST, class: "reactions", popover: "auto" }, ...REACTIONS.map(this.choice));
    this.list.addEventListener("beforetoggle", () => {
      const { right, bottom } = this.button.getBoundingClientRect();
      const beside = Math.max(GAP, Math.min(innerWidth - right, innerWidth - WIDE - GAP));
      this.list.style.inset = `${bottom + GAP}px ${beside}px auto auto`;
    });
    this.element = h("div", { class: "said" }, this.list);
    addEventListener("resize", this.close); // its place is another then
  }

  private readonly close = (): void => this.list.hidePopover();

  private readonly choice = (reaction: Reaction, place: number): HTMLElement => {
    const attributes = { type: "button", class: "quiet", "data-testid": `react-${reaction}` };
    const key = h("kbd", { "aria-hidden": "true" }, String(place + 1));
    return h("button", { ...attributes, onclick: () => this.say(reaction) }, wordsOf(reaction), " ", key);
  };

  private say(reaction: Reaction): void {
    this.close();
    void this.react(reaction);
  }

  /** Only where somebody hears it. */
  render({ you, seats }: TableView): void {
    this.button.hidden = you === null || !seats.some(({ kind, seat }) => kind === "person" && seat !== you);
  }

  /** What the keys from 1 on say. */
  keys(): Record<string, () => void> {
    if (this.button.hidden) return {};
    return Object.fromEntries(REACTIONS.map((reaction, place) => [String(place + 1), () => this.say(reaction)]));
  }

  /** Show what a seat says, beside it. Gives the words. */
  show(seat: number, reaction: unknown): string {
    const words = wordsOf(reaction);
    const place = document.querySelector(`[data-seat="${seat}"]`)?.getBoundingClientRect();
    if (!words || !place) return words;
    this.element.querySelector(`[data-by="${seat}"]`)?.remove();
    const bubble = h("p", { class: "reaction", "data-by": seat, "data-testid": "reaction" }, words);
    this.element.append(bubble);
    const room = document.documentElement.clientWidth - bubble.offsetWidth;
    bubble.style.left = `${Math.max(0, Math.min(place.left + GAP, room))}px`;
    bubble.style.top = `${Math.min(place.bottom + GAP, innerHeight - bubble.offsetHeight)}px`;
    const timer = window.setTimeout(() => {
      this.timers.delete(timer);
      bubble.remove();
    }, SHOWN);
    this.timers.add(timer);
    return words;
  }

  stop(): void {
    removeEventListener("resize", this.close);
    for (const timer of this.timers) clearTimeout(timer);
  }
}
