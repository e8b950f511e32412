import { expect, it } from "vitest";
import { Faces } from "../src/faces";

const faces = new Faces([{ name: "mcts:1", title: "Easy", character: "", thinks: "" }]);

it("calls a bot by its title, and leaves all else as it is", () => {
  expect(faces.text("White (mcts:1) moves (twice)")).toBe("White (Easy) moves (twice)");
  expect(faces.text("White (mcts:2)")).toBe("White (mcts:2)");
});

it("gives titles to seats, stand-ins and what is told", () => {
  const seat = { seat: 0, kind: "person", name: "Ada", stand_in: "mcts:1" };
  const update = { type: "update", seats: [seat], events: [{ text: "Blue (mcts:1) wins", steps: [] }] };
  const told = faces.message(update as unknown as Parameters<Faces["message"]>[0]);
  expect(told).toMatchObject({ seats: [{ name: "Ada", stand_in: "Easy" }], events: [{ text: "Blue (Easy) wins" }] });
});
