/** Win chances at a table: the bar, and the switch for those who may see it. */

import { ChanceBar } from "../chances/bar";
import { ChanceSwitch } from "../chances/switch";
import type { TableView } from "../protocol";
import { goneSeat, isPlaying } from "./model";

/** Whether anybody may be told: while a match is played, only where hints are allowed. The server sees to it. */
export const mayKnow = ({ judged, phase, hints }: TableView): boolean =>
  judged && (phase === "over" || (phase === "playing" && hints));

export class TableChances {
  readonly bar = new ChanceBar();
  readonly switch: ChanceSwitch;
  private isAsked = false;

  /** `table` tells how it is now; `ask` has the server tell chances from now on, or no more. */
  constructor(
    private readonly table: () => TableView,
    private readonly ask: (isAsked: boolean) => void,
  ) {
    const wish = (): "playChances" | "watchChances" => {
      const { you } = this.table();
      return you === null || goneSeat(this.table()) ? "watchChances" : "playChances";
    };
    this.switch = new ChanceSwitch(wish, () => this.render(this.table()));
  }

  render(table: TableView): void {
    const isOffered = mayKnow(table);
    const isOn = isOffered && this.switch.isOn;
    const plays = isPlaying(table); // then there are many buttons beside it
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
