import { Mesh, MeshBasicMaterial, Quaternion, Raycaster, Vector3 } from "three";
import { RoundedBoxGeometry } from "three/addons/geometries/RoundedBoxGeometry.js";
import { expect, test } from "vitest";
import { facesOf, hasBar, hasPips, pipsOf } from "../src/dice/faces";
import { turnFor } from "../src/dice/orientation";
import { type Path, throwDice } from "../src/dice/physics";

const DOWN = new Vector3(0, -1, 0);
const SHAPE = new RoundedBoxGeometry(1, 1, 1, 5, 0.14);

/** What somebody who looks down on the resting die reads: the face that a ray from above hits first. */
function read(faces: readonly number[], path: Path, turn: Quaternion): number | undefined {
  const die = new Mesh(
    SHAPE,
    faces.map(() => new MeshBasicMaterial()),
  );
  const pose = path.poses.at(-1) ?? [];
  die.position.fromArray(pose);
  die.quaternion.fromArray(pose, 3).multiply(turn);
  die.updateMatrixWorld();
  const [hit] = new Raycaster(new Vector3(pose[0], 9, pose[2]), DOWN).intersectObject(die);
  return faces[hit?.face?.materialIndex ?? -1];
}

test("200 throws come to rest on the values they were given", () => {
  for (let round = 0; round < 200; round++) {
    const count = 1 + (round % 8);
    const sides = [6, 6, 2, 4, 20][round % 5] ?? 6;
    const low = round % 3 === 0 ? 0 : 1;
    const values = Array.from({ length: count }, () => low + Math.floor(Math.random() * sides));
    const paths = throwDice(count, { width: 12, depth: 8 });
    const faces = facesOf(values, sides);
    const shown = paths.map((path, index) => {
      const own = faces[index] ?? [];
      return read(own, path, turnFor(own, values[index] ?? NaN, path));
    });
    expect(shown).toEqual(values);
  }
}, 60_000);

test("dice rest flat, apart from each other and on the floor", () => {
  const floor = { width: 8, depth: 6 };
  for (let round = 0; round < 20; round++) {
    const ends = throwDice(5, floor).map(({ poses }) => poses.at(-1) ?? []);
    for (const [index, [x = NaN, y = NaN, z = NaN]] of ends.entries()) {
      expect(Math.abs(x)).toBeLessThan(floor.width / 2 - 0.4);
      expect(Math.abs(z)).toBeLessThan(floor.depth / 2 - 0.4);
      expect(y).toBeCloseTo(0.5, 1);
      for (const [otherX = NaN, , otherZ = NaN] of ends.slice(index + 1)) {
        expect(Math.hypot(x - otherX, z - otherZ)).toBeGreaterThan(0.9);
      }
    }
  }
});

test("a floor without room for the dice is an error that says so", () => {
  const crowd = (): Path[] => throwDice(8, { width: 1.5, depth: 1.5 });
  expect(crowd).toThrow("8 dice did not come to rest on a floor of 1.5 by 1.5");
});

test("a throw that is late already is not begun", () => {
  expect(() => throwDice(1, { width: 12, depth: 8 }, performance.now())).toThrow("1 dice did not come to rest");
});

test("a numeral lies at most an eighth of a turn from upright", () => {
  const [faces = []] = facesOf([0], 6);
  for (let round = 0; round < 50; round++) {
    const [path] = throwDice(1, { width: 8, depth: 6 });
    if (!path) throw new Error("no die was thrown");
    const head = new Vector3(0, 1, 0).applyQuaternion(turnFor(faces, 0, path));
    head.applyQuaternion(new Quaternion().fromArray(path.poses.at(-1) ?? [], 3));
    expect(-head.z).toBeGreaterThan(Math.SQRT1_2 - 0.01);
  }
});

test("ordinary dice have pips, and opposite faces sum to seven", () => {
  expect(hasPips([1, 6], 6)).toBe(true);
  const [[right = 0, left = 0, top = 0, bottom = 0, front = 0, back = 0] = []] = facesOf([4], 6);
  expect([right + left, top + bottom, front + back]).toEqual([7, 7, 7]);
  expect([1, 2, 3, 4, 5, 6].map((value) => pipsOf(value).length)).toEqual([1, 2, 3, 4, 5, 6]);
});

test.each([
  [[0, 3], 6],
  [[2], 2],
  [[17, 1], 20],
  [[-3], 6],
  [[9], 6],
])("the numerals of %j with %i sides are on their dice, and the others in reach", (values, sides) => {
  expect(hasPips(values, sides)).toBe(false);
  const low = Math.min(1, ...values);
  const high = Math.max(low + sides - 1, ...values);
  facesOf(values, sides).forEach((faces, index) => {
    expect(faces).toHaveLength(6);
    expect(faces).toContain(values[index]);
    expect(Math.min(...faces)).toBeGreaterThanOrEqual(low);
    expect(Math.max(...faces)).toBeLessThanOrEqual(high);
    expect(new Set(faces).size).toBe(Math.min(6, high - low + 1));
  });
});

test("a bar tells 6 from 9", () => {
  expect([6, 9, 66, 96, 8, 16, 0].map(hasBar)).toEqual([true, true, true, true, false, false, false]);
});
