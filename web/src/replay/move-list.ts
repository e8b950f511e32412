/** All actions of a match in a list: a click or the arrow keys lead to a ply, and the one that is shown is marked. */

import { Coalesced } from "../coalesce";
import { h } from "../dom";
import { t } from "../language";
import type { Mark, PlyLine } from "../protocol";
import { seatBadge } from "../table/seats";

const BLOCK = 50; // lines; the browser passes over blocks that are out of sight, so that long lists cost little
const FURTHER = 10; // lines for Page Up and Page Down

export class MoveList {
  readonly element = h("div", { class: "moves", role: "group", "data-testid": "moves", "aria-label": t("moves") });
  private readonly lines: HTMLElement[];
  private current = -1; // the ply that is marked
  private wanted = 0; // and the one that is to be
  private readonly marking = new Coalesced(() => this.showMark());

  constructor(
    plies: readonly PlyLine[],
    marks: readonly Mark[],
    private readonly story: HTMLElement, // what else happened at the ply that is shown: it stands below its line
    private readonly jump: (ply: number) => void,
  ) {
    const all: PlyLine[] = [{ seat: null, text: t("openingPosition") }, ...plies];
    this.lines = all.map((line, ply) => row(line, ply, marks));
    for (let first = 0; first < this.lines.length; first += BLOCK) {
      const block = this.lines.slice(first, first + BLOCK).map((line) => h("li", {}, line));
      const list = h("ol", {}, ...block);
      list.style.setProperty("--lines", String(block.length));
      this.element.append(list);
    }
    this.element.addEventListener("click", (event) => this.clicked(event.target as Element));
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  /** Mark the ply that is shown, and bring it into sight. Of many in a row only the last is drawn. */
  mark(ply: number): void {
    this.wanted = ply;
    this.marking.request();
  }

  private showMark(): void {
    const line = this.lines[this.wanted];
    if (!line || this.wanted === this.current) return;
    const before = this.lines[this.current];
    before?.removeAttribute("aria-current");
    before?.setAttribute("tabindex", "-1");
    this.current = this.wanted;
    line.setAttribute("aria-current", "step");
    line.setAttribute("tabindex", "0");
    if (before && before === document.activeElement) line.focus({ preventScroll: true });
    line.after(this.story);
    this.reveal();
  }

  /** Bring what is marked into sight, with what happened there. The page stays where it is. */
  reveal(): void {
    const { element } = this;
    const box = this.lines[this.current]?.parentElement?.getBoundingClientRect();
    if (!box) return;
    const top = box.top - element.getBoundingClientRect().top + element.scrollTop;
    const isSeen = top >= element.scrollTop && top + box.height <= element.scrollTop + element.clientHeight;
    if (!isSeen) element.scrollTop = top - Math.max(0, element.clientHeight - box.height) / 2;
  }

  private clicked(target: Element): void {
    const ply = target.closest<HTMLElement>("[data-ply]")?.dataset.ply;
    if (ply !== undefined) this.jump(Number(ply));
  }

  private key(event: KeyboardEvent): void {
    const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, PageUp: -FURTHER, PageDown: FURTHER };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.jump(Math.max(0, Math.min(this.wanted + step, this.lines.length - 1)));
  }
}

function row({ seat, text }: PlyLine, ply: number, marks: readonly Mark[]): HTMLElement {
  return h(
    "button",
    { type: "button", "data-ply": ply, tabindex: -1, title: text },
    h("span", { class: "number" }, String(ply)),
    seat !== null && seatBadge(marks[seat]),
    h("span", { class: "words" }, text),
  );
}
