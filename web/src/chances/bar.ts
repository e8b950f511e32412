/** How likely each seat is to win: a bar with a part for each seat, in its colour and with its letter. */

import { fill, h } from "../dom";
import { language, t } from "../language";
import type { Mark } from "../protocol";
import { percentages } from "./percent";

const NARROW = 13; // percent; below that there is room for the letter alone
const TINY = 6; // and below that for nothing

export class ChanceBar {
  readonly element = h("div", { class: "chances", role: "img", "data-testid": "chances", hidden: true });
  private parts: HTMLElement[] = [];

  /** Null: they are not known yet. The bar is then empty, and takes as much room. */
  show(chances: readonly number[] | null, marks: readonly Mark[], names: readonly string[]): void {
    const percents = percentages(chances ?? []);
    if (this.parts.length !== percents.length) {
      this.parts = percents.map(() => h("span", { class: "chance" }));
      fill(this.element, ...this.parts);
    }
    percents.forEach((percent, seat) => {
      showPart(this.parts[seat] as HTMLElement, chances?.[seat] ?? 0, percent, marks[seat]);
    });
    const told = percents.map((percent, seat) => `${names[seat] ?? ""} ${inPercent(percent)}`);
    const words = told.length > 0 ? t("winChancesAre", { list: told.join(", ") }) : t("winChances");
    this.element.setAttribute("aria-label", words);
    this.element.title = `${words}. ${t("chancesAtAGlance")}`;
  }
}

function showPart(part: HTMLElement, chance: number, percent: number, mark: Mark | undefined): void {
  part.classList.toggle("is-narrow", percent < NARROW);
  part.classList.toggle("is-tiny", percent < TINY);
  part.style.flexGrow = String(chance);
  if (mark) Object.assign(part.style, { backgroundColor: mark.colour, color: mark.ink });
  fill(part, h("b", {}, mark?.letter ?? ""), h("span", {}, inPercent(percent)));
}

/** As the language writes it: 62% or 62 %. */
const inPercent = (percent: number): string =>
  new Intl.NumberFormat(language(), { style: "percent" }).format(percent / 100);
