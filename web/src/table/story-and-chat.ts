/** What has happened, in words, and what is said at the table. */

import { type Attributes, fill, h, ICONS, icon, iconButton, once } from "../dom";
import { isHere } from "../house";
import { t } from "../language";
import type { TableView } from "../protocol";
import { saveSettings, settings } from "../storage";
import { leaveFull } from "../zoom";

type Tab = "story" | "chat";

const NEAR_END = 40; // pixels
const MOST_COUNTED = 99; // lines that nobody has looked at
const ALOUD = 20; // lines that a screen reader may still have before it

export class StoryAndChat {
  readonly element: HTMLElement;
  private readonly story = new Lines({ class: "story", "data-testid": "story" });
  // Only what is new is read aloud, and not the whole story each time.
  private readonly aloud = h("div", { class: "unseen", role: "log", "aria-live": "polite", "data-testid": "live-log" });
  private readonly chat = new Lines({ class: "chat-lines", "data-testid": "chat-lines", "aria-live": "polite" });
  private readonly input = h("input", {
    maxlength: "300",
    autocomplete: "off",
    placeholder: t("chatPlaceholder"),
    "aria-label": t("chatPlaceholder"),
    "data-testid": "chat-input",
  });
  private readonly form: HTMLFormElement;
  private readonly tabs: Record<Tab, HTMLButtonElement>;
  private readonly panels: Record<Tab, HTMLElement>;
  /** Leads there, with the number of lines that nobody has looked at, where talk is not beside the board. */
  readonly button = iconButton(ICONS.chat, t("chat"), { class: "ghost to-chat", "data-testid": "to-chat" });
  private readonly badge = h("span", { class: "badge", "aria-hidden": "true", "data-testid": "unread" });
  private unread = 0;
  private shownStory: readonly string[] | null = null;
  private shownChat: TableView["chat"] | null = null;

  constructor(private readonly say: (text: string) => Promise<void>) {
    const send = h("button", { type: "submit", class: "quiet" }, t("send"));
    const mute = muteTalkButton();
    this.form = h("form", { class: "chat-form", onsubmit: once(() => this.submit()) }, this.input, send, mute);
    this.tabs = { story: this.tab("story", t("story")), chat: this.tab("chat", t("chat")) };
    this.panels = {
      story: this.panel("story", this.story.element),
      chat: this.panel("chat", this.chat.element, this.form),
    };
    const bar = h(
      "div",
      { class: "tabs", role: "tablist", onkeydown: this.onArrow },
      this.tabs.story,
      !isHere && this.tabs.chat,
    );
    this.element = h("section", { class: "card talk" }, bar, this.panels.story, this.panels.chat, this.aloud);
    this.open("story");
    this.button.append(this.badge);
    this.button.addEventListener("click", () => this.show());
    new IntersectionObserver(this.look).observe(this.chat.element); // somebody has scrolled there
    this.showUnread();
  }

  /** Bring what is said into sight. */
  private show(): void {
    leaveFull();
    this.open("chat");
    this.element.scrollIntoView({ block: "end" });
    this.chat.element.focus({ preventScroll: true });
  }

  /** Whether a line would be seen as soon as it comes. */
  get isChatSeen(): boolean {
    const { top, bottom, height } = this.chat.element.getBoundingClientRect();
    return height > 0 && bottom > 0 && top < innerHeight && !document.hidden;
  }

  private readonly look = (): void => {
    if (this.isChatSeen) this.unread = 0;
    this.showUnread();
  };

  private tab(name: Tab, words: string): HTMLButtonElement {
    const controls = { role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, "data-testid": `tab-${name}` };
    return h("button", { type: "button", ...controls, onclick: () => this.open(name) }, words);
  }

  private panel(name: Tab, ...children: Node[]): HTMLElement {
    const role = { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}` };
    return h("div", { class: `panel panel-${name}`, ...role }, ...children);
  }

  private readonly onArrow = (event: KeyboardEvent): void => {
    if (isHere || (event.key !== "ArrowLeft" && event.key !== "ArrowRight")) return;
    const other = this.tabs.story.getAttribute("aria-selected") === "true" ? "chat" : "story";
    this.open(other);
    this.tabs[other].focus();
    event.stopPropagation();
  };

  private open(name: Tab): void {
    for (const tab of ["story", "chat"] as const) {
      this.tabs[tab].setAttribute("aria-selected", String(tab === name));
      this.tabs[tab].tabIndex = tab === name ? 0 : -1;
      this.panels[tab].hidden = tab !== name;
    }
    (name === "chat" ? this.chat : this.story).scrollToEnd();
  }

  private async submit(): Promise<void> {
    const text = this.input.value.trim();
    this.input.value = "";
    if (text) void this.say(text);
  }

  private showUnread(): void {
    const { unread } = this;
    this.tabs.chat.textContent = unread ? `${t("chat")} (${unread})` : t("chat");
    this.badge.textContent = unread > MOST_COUNTED ? `${MOST_COUNTED}+` : String(unread);
    this.badge.hidden = unread === 0;
    this.button.title = unread ? t("chatUnread", { count: unread }) : t("chat");
    this.button.setAttribute("aria-label", this.button.title);
  }

  render({ story, chat, you, seats }: TableView): void {
    this.form.hidden = you === null;
    const mine = seats[you ?? -1]?.name;
    const isMine = (line: string): boolean => mine !== undefined && line.includes(mine);
    if (story !== this.shownStory) this.story.fill(...story.map((line) => storyLine(line, isMine(line))));
    this.shownStory = story;
    if (chat !== this.shownChat) this.renderChat(chat, you);
    this.shownChat = chat;
  }

  private renderChat(chat: TableView["chat"], you: number | null): void {
    const lines = chat.map((line) => h("li", {}, h("b", {}, line.name), " ", line.text));
    const none = h("li", { class: "faint" }, t("chatEmpty"));
    this.chat.fill(...(lines.length > 0 ? lines : [none]));
    const fresh = this.shownChat ? chat.slice(this.shownChat.length) : [];
    if (!this.isChatSeen) this.unread += fresh.filter(({ seat }) => seat !== you).length;
    this.showUnread();
  }

  /** To the field for what you want to say. */
  focus(): void {
    this.open("chat");
    this.input.focus();
  }

  /** Say it to whoever listens to the page. */
  readAloud(lines: readonly string[]): void {
    this.aloud.append(...lines.slice(-ALOUD).map((line) => h("p", {}, line)));
    while (this.aloud.childElementCount > ALOUD) this.aloud.firstElementChild?.remove();
  }
}

/** A line of what happened. What concerns you is marked. */
export const storyLine = (line: string, isMine: boolean): HTMLElement =>
  h("li", isMine ? { class: "is-mine", "data-you": t("you") } : {}, line);

/** No messages and no sounds of what is said, and back again. */
function muteTalkButton(): HTMLElement {
  const button = iconButton(ICONS.bell, t("muteTalk"), { "data-testid": "mute-talk" });
  const show = (): void => {
    const { muteTalk } = settings();
    fill(button, icon(muteTalk ? ICONS.bellOff : ICONS.bell));
    button.title = t(muteTalk ? "unmuteTalk" : "muteTalk");
    button.setAttribute("aria-label", button.title);
  };
  button.addEventListener("click", () => {
    saveSettings({ muteTalk: !settings().muteTalk });
    show();
  });
  show();
  return button;
}

/** A list that shows its end, until somebody scrolls up. */
class Lines {
  readonly element: HTMLElement;
  private atEnd = true;
  private size = ""; // of the list and of what is in it, when it was last looked at

  constructor(attributes: Attributes) {
    this.element = h("ol", { tabindex: 0, ...attributes });
    this.element.addEventListener("scroll", () => this.onScroll());
    new ResizeObserver(() => this.keepEnd()).observe(this.element);
  }

  fill(...lines: HTMLElement[]): void {
    fill(this.element, ...lines);
    this.keepEnd();
  }

  /** Where the list has got another size, it has moved by itself: that is nobody's wish. */
  private onScroll(): void {
    const { scrollHeight, scrollTop, clientHeight } = this.element;
    const isEnd = scrollHeight - scrollTop - clientHeight < NEAR_END;
    if (isEnd || this.size === this.sizeNow()) this.atEnd = isEnd;
  }

  private keepEnd(): void {
    if (this.atEnd) this.scrollToEnd();
    this.size = this.sizeNow();
  }

  private sizeNow(): string {
    return `${this.element.clientHeight} ${this.element.scrollHeight}`;
  }

  scrollToEnd(): void {
    this.element.scrollTop = this.element.scrollHeight;
  }
}
