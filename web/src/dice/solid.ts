/** Solid dice: the throw is worked out first, each die is turned so that its value ends on top, then it is shown. */
import { type BufferGeometry, Mesh, type MeshBasicMaterial, Quaternion, Vector3 } from "three";
import { withTimeout } from "../timeout";
import { facesOf, hasPips } from "./faces";
import type { Materials } from "./materials";
import { turnFor } from "./orientation";
import { type Path, STEP, throwDice } from "./physics";
import { type DiceScene, returnScene, takeScene } from "./scene";
import { animate, cover, fade, pause, type Roll } from "./timing";

/** Throws solid dice over the stage; they rest on their values, then fade. Rejects if they cannot start soon. */
export async function rollSolid(roll: Roll): Promise<void> {
  const scene = takeScene();
  try {
    await show(roll, scene);
  } finally {
    returnScene(scene);
  }
}

async function show(roll: Roll, scene: DiceScene): Promise<void> {
  const { stage, values, sides, pace, end, readyBy, signal } = roll;
  const floor = scene.fit(stage.clientWidth, stage.clientHeight, values.length);
  const paths = throwDice(values.length, floor, readyBy);
  const dice = makeDice(values, sides, paths, scene.materials);
  const draw = (part: number): void => {
    if (part < 1 && scene.isBehind()) return;
    dice.forEach((die) => place(die, part));
    scene.draw();
  };
  scene.dice.add(...dice.flatMap(({ mesh, touch, cast }) => [mesh, touch, cast]));
  dice.forEach((die) => place(die, 0));
  cover(roll, scene.canvas);
  await withTimeout(scene.warm(), readyBy - performance.now());
  const natural = 1000 * STEP * Math.max(...paths.map(({ poses }) => poses.length));
  await animate(Math.min(natural, end - performance.now() - pace.rest - pace.fade), signal, draw);
  await pause(pace.rest, signal);
  await fade(scene.canvas, pace.fade, signal);
}

type Shadow = Mesh<BufferGeometry, MeshBasicMaterial>;

interface Die {
  mesh: Mesh;
  touch: Shadow; // right under the die
  cast: Shadow; // away from the lamp
  path: Path;
  turn: Quaternion; // of the mesh in the thrown body
}

function makeDice(values: readonly number[], sides: number, paths: readonly Path[], materials: Materials): Die[] {
  const pips = hasPips(values, sides);
  return facesOf(values, sides).map((faces, index) => {
    const path = paths[index];
    const value = values[index];
    if (!path || value === undefined) throw new Error("fewer dice were thrown than asked for");
    const mesh = new Mesh(
      materials.body,
      faces.map((face) => materials.face(face, pips)),
    );
    mesh.frustumCulled = false; // drawn before it comes into sight, so that everything is warmed up by then
    const touch = new Mesh(materials.blot, materials.shadow(2 * index));
    const cast = new Mesh(materials.blot, materials.shadow(2 * index + 1));
    return { mesh, touch, cast, path, turn: turnFor(faces, value, path) };
  });
}

const ahead = new Vector3();
const later = new Quaternion();

/** Puts a die where it is after a part of its path, 0 to 1. */
function place({ mesh, touch, cast, path, turn }: Die, part: number): void {
  const at = part * (path.poses.length - 1);
  const before = path.poses[Math.floor(at)] ?? [];
  const after = path.poses[Math.ceil(at)] ?? before;
  const { x, y, z } = mesh.position.fromArray(before).lerp(ahead.fromArray(after), at % 1);
  mesh.quaternion
    .fromArray(before, 3)
    .slerp(later.fromArray(after, 3), at % 1)
    .multiply(turn);
  const high = Math.max(0, y - 0.5);
  touch.position.set(x, 0.01, z);
  touch.scale.setScalar(1.85 + 0.5 * high);
  touch.material.opacity = 0.75 / (1 + 2 * high);
  cast.position.set(x + 0.26 + 0.45 * high, 0.01, z + 0.17 + 0.3 * high);
  cast.scale.setScalar(2.1 + 0.4 * high);
  cast.material.opacity = 0.5 / (1 + 0.6 * high);
}
