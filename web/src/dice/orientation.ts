/** How a die sits in the body that was thrown: turned so that the wanted value ends on top. */
import { Quaternion, Vector3 } from "three";
import type { Faces } from "./faces";
import { NORMALS, type Path } from "./physics";

/** Which way is up in what is drawn on a face: right, left, top, bottom, front, back. */
const HEADS: readonly (readonly [number, number, number])[] = [
  [0, 1, 0],
  [0, 1, 0],
  [0, 0, -1],
  [0, 0, 1],
  [0, 1, 0],
  [0, 1, 0],
];

/** The turn that brings a value to where the path's upper face is, and its drawing as upright as the die can lie. */
export function turnFor(faces: Faces, value: number, { poses, up }: Path): Quaternion {
  const face = faces.indexOf(value);
  const [from, to, head, pose] = [NORMALS[face], NORMALS[up], HEADS[face], poses.at(-1)];
  if (!from || !to || !head || !pose) throw new Error(`no face of the die shows ${value}`);
  const axis = new Vector3(...from);
  const rest = new Quaternion().fromArray(pose, 3);
  const flip = new Quaternion().setFromUnitVectors(axis, new Vector3(...to));
  const turns = [0, 1, 2, 3].map((quarter) =>
    flip.clone().multiply(new Quaternion().setFromAxisAngle(axis, (quarter * Math.PI) / 2)),
  );
  const leaning = (turn: Quaternion): number => new Vector3(...head).applyQuaternion(turn).applyQuaternion(rest).z;
  return turns.reduce((best, turn) => (leaning(turn) < leaning(best) ? turn : best));
}
