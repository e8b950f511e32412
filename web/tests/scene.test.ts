import { describe, expect, it } from "vitest";
import type { Position, TableMessage, TableView, Update } from "../src/protocol";
import { patched, Scenes } from "../src/scene";

const position = (patch: Position["patch"]): Position => ({
  ply: 0,
  turn: 0,
  to_move: 0,
  scores: [],
  picks: [],
  scene: null,
  state: null,
  patch,
});
const welcome = (patch: Position["patch"]): TableMessage => ({
  type: "welcome",
  version: 1,
  table: { position: position(patch) } as TableView,
});
const update = (patch: Position["patch"] | undefined): TableMessage =>
  ({ type: "update", position: patch === undefined ? null : position(patch) }) as Update;

const sceneOf = (message: TableMessage): string | null | undefined =>
  message.type === "welcome" ? message.table.position?.scene : message.type === "update" ? message.position?.scene : "";

describe("patches", () => {
  it.each([
    [["a", "b", "c"], [], ["a", "b", "c"]],
    [[], ["a", "b"], ["a", "b"]],
    [["a", "b", "c"], [-3], []],
    [
      ["a", "b", "c", "d"],
      [1, -1, "x"],
      ["a", "x", "c", "d"],
    ],
    [
      ["a", "c"],
      [1, "b", 1],
      ["a", "b", "c"],
    ],
    [
      ["a", "b", "c"],
      [-1, 1, "a", 1],
      ["b", "a", "c"],
    ],
  ] as [string[], (number | string)[], string[]][])("%j and %j make %j", (old, patch, parts) => {
    expect(patched(old, patch)).toEqual(parts);
  });
});

describe("scenes of a socket", () => {
  it("are whole again in every message", () => {
    const scenes = new Scenes();
    expect(sceneOf(scenes.whole(welcome(["<a/>", "<b/>"])))).toBe("<a/><b/>");
    expect(sceneOf(scenes.whole(update([1, -1, "<c/>"])))).toBe("<a/><c/>");
    expect(scenes.whole(update(undefined))).toEqual(update(undefined));
    expect(sceneOf(scenes.whole(update([])))).toBe("<a/><c/>");
  });

  it("begin anew with a welcome", () => {
    const scenes = new Scenes();
    scenes.whole(welcome(["<a/>"]));
    expect(sceneOf(scenes.whole(welcome(["<b/>"])))).toBe("<b/>");
  });

  it("stay as they are where they are told whole", () => {
    const told = { ...welcome(null) };
    expect(new Scenes().whole(told)).toEqual(told);
  });
});
