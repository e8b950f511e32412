import { expect, it, vi } from "vitest";
import { timeText } from "../src/clocks";

vi.stubGlobal("navigator", { languages: ["en"] });

it.each([
  [1, "1 second"],
  [1.5, "1.5 seconds"],
  [30, "30 seconds"],
  [450, "7 minutes 30 seconds"],
  [3600, "1 hour"],
  [129600, "1 day 12 hours"],
])("tells %s seconds as people would", (seconds, words) => expect(timeText(seconds)).toBe(words));
