/** Win chances at a table: the bar, and the switch for those who may see it. */

import { ChanceBar } from "../chances/bar";
import { ChanceSwitch } from "../chances/switch";
import type { TableView } from "../protocol";

/** Whether you may be told. It is help, so others who play must have agreed to hints; the server sees to it. */
export function mayKnow({ judged, you, phase, hints, seats }: TableView): boolean {
  const people = seats.filter((seat) => seat.kind === "person").length;
  return judged && phase !== "open" && (you === null || phase === "over" || hints || people <= 1);
}

export class TableChances {
  readonly bar = new ChanceBar();
  readonly switch: ChanceSwitch;
  private isAsked = false;

  /** `table` tells how it is now; `ask` has the server tell chances from now on, or no more. */
  constructor(
    private readonly table: () => TableView,
    private readonly ask: (isAsked: boolean) => void,
  ) {
    const wish = (): "playChances" | "watchChances" => (this.table().you === null ? "watchChances" : "playChances");
    this.switch = new ChanceSwitch(wish, () => this.render(this.table()));
  }

  render(table: TableView): void {
    const isOffered = mayKnow(table);
    const isOn = isOffered && this.switch.isOn;
    const plays = table.you !== null && table.phase === "playing"; // then there are many buttons beside it
    this.switch.button.hidden = !isOffered || plays;
    this.switch.item.hidden = !isOffered || !plays;
    this.switch.show();
    this.bar.element.hidden = !isOn;
    const names = table.seats.map((seat) => seat.name);
    if (isOn) this.bar.show(table.chances, table.marks, names);
    if (isOn !== this.isAsked) {
      this.isAsked = isOn;
      this.ask(isOn);
    }
  }
}
