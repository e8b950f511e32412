import { expect, it } from "vitest";
import { Faces } from "../src/faces";

const faces = new Faces([{ name: "mcts:1", title: "Easy", character: "", thinks: "" }]);

it("calls a bot by its title, and leaves all else as it is", () => {
  expect(faces.text("White (mcts:1) moves (twice)")).toBe("White (Easy) moves (twice)");
  expect(faces.text("White (mcts:2)")).toBe("White (mcts:2)");
});

it("gives titles to lists, and to how a match ended", () => {
  const told = { en: { text: "Blue (mcts:1) and a zombie win", rivals: [] } };
  const ending = { reason: "rules", winners: [1], text: "", told };
  const line = { names: ["Ada", "Blue (mcts:1)"], who: ["Blue (mcts:1)"], ending };
  expect(faces.line(line as unknown as Parameters<Faces["line"]>[0])).toMatchObject({
    names: ["Ada", "Blue (Easy)"],
    who: ["Blue (Easy)"],
    ending: { told: { en: { text: "Blue (Easy) and a zombie win" } } },
  });
});

it("gives titles to seats, stand-ins and what is told", () => {
  const seat = { seat: 0, kind: "person", name: "Ada", stand_in: "mcts:1" };
  const update = { type: "update", seats: [seat], events: [{ text: "Blue (mcts:1) wins", steps: [] }] };
  const told = faces.message(update as unknown as Parameters<Faces["message"]>[0]);
  expect(told).toMatchObject({ seats: [{ name: "Ada", stand_in: "Easy" }], events: [{ text: "Blue (Easy) wins" }] });
});
