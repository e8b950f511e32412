import { describe, expect, it } from "vitest";
import type { ChoiceView } from "../src/protocol";
import { kinds, Selection } from "../src/selection";

let action = 0;
const choice = (picks: string[], label = ""): ChoiceView => ({
  action: action++,
  text: picks.join("-") || "pass",
  label,
  picks,
});

describe("the kinds of choices", () => {
  it("are buttons without spots, paths of one or two, sets of more", () => {
    const all = [choice([]), choice(["a"]), choice(["b", "c"]), choice(["d", "e", "f"])];
    const found = kinds(all);
    expect(found.buttons).toEqual([all[0]]);
    expect(found.paths).toEqual([all[1], all[2]]);
    expect(found.sets).toEqual([all[3]]);
  });

  it("make sets of choices of which one begins as another does", () => {
    const all = [choice(["x"]), choice(["x", "y"]), choice(["z"])];
    const found = kinds(all);
    expect(found.sets).toEqual([all[0], all[1]]);
    expect(found.paths).toEqual([all[2]]);
  });

  it("treat a choice without picks, as the server leaves them out, as a button", () => {
    expect(kinds([{ action: 7, text: "roll" }]).buttons).toHaveLength(1);
  });
});

describe("picking", () => {
  const moves = [choice(["a", "b"], "a to b"), choice(["a", "c"]), choice(["d", "b"])];

  it("takes one click for one spot", () => {
    const one = choice(["5"]);
    expect(new Selection([one]).pick("5")).toEqual({ kind: "done", choices: [one] });
  });

  it("takes a piece, then a place", () => {
    const picking = new Selection(moves);
    expect(picking.pick("a")).toEqual({ kind: "changed" });
    expect([...picking.next()]).toEqual(["b", "c"]);
    expect(picking.pick("c")).toEqual({ kind: "done", choices: [moves[1]] });
  });

  it("goes over to another piece, and lets go of one that is picked twice", () => {
    const picking = new Selection(moves);
    picking.pick("a");
    picking.pick("d");
    expect(picking.picked).toEqual(["d"]);
    picking.pick("d");
    expect(picking.picked).toEqual([]);
  });

  it("ignores spots that no choice names", () => {
    const picking = new Selection(moves);
    expect(picking.pick("z")).toEqual({ kind: "nothing" });
    expect(picking.pick("b")).toEqual({ kind: "nothing" });
  });

  it("gives all choices of equal picks", () => {
    const equal = [choice(["a", "b"]), choice(["a", "b"])];
    const picking = new Selection(equal);
    picking.pick("a");
    expect(picking.pick("b")).toEqual({ kind: "done", choices: equal });
  });

  it("switches the spots of sets, in any order", () => {
    const sets = [choice(["1"]), choice(["2"]), choice(["1", "2"])];
    const picking = new Selection(sets);
    picking.pick("2");
    expect(picking.set).toBe(sets[1]);
    picking.pick("1");
    expect(picking.set).toBe(sets[2]);
    picking.pick("2");
    expect(picking.set).toBe(sets[0]);
    picking.pick("1");
    expect(picking.set).toBeUndefined();
  });

  it("says what a spot would do", () => {
    const picking = new Selection(moves);
    picking.pick("a");
    expect(picking.labels("b")).toEqual(["a to b"]);
    expect(picking.labels("c")).toEqual(["a-c"]);
  });
});
