/** Solid dice: the throw is worked out first, each die is turned so that its value ends on top, then it is shown. */
import { type BufferGeometry, Mesh, type MeshBasicMaterial, Quaternion, Vector3 } from "three";
import { facesOf, hasPips } from "./faces";
import type { Look } from "./look";
import { animate, cover, fade, pause, type Roll, soon } from "./roll";
import { enterRoom, leaveRoom, type Room } from "./room";
import { type Path, STEP, throwDice } from "./throw";
import { turnFor } from "./turn";

/** Throws solid dice over the stage; they rest on their values, then fade. Rejects if they cannot start soon. */
export async function tumbleDice(roll: Roll): Promise<void> {
  const room = enterRoom();
  try {
    await show(roll, room);
  } finally {
    leaveRoom(room);
  }
}

async function show({ stage, values, sides, pace, end, patience, signal }: Roll, room: Room): Promise<void> {
  const floor = room.fit(stage.clientWidth, stage.clientHeight, values.length);
  const paths = throwDice(values.length, floor, patience);
  const dice = makeDice(values, sides, paths, room.look);
  const draw = (part: number): void => {
    if (part < 1 && room.isBehind()) return;
    dice.forEach((die) => place(die, part));
    room.draw();
  };
  room.dice.add(...dice.flatMap(({ mesh, touch, cast }) => [mesh, touch, cast]));
  dice.forEach((die) => place(die, 0));
  cover(stage, room.canvas);
  await soon(room.warm(), patience - performance.now());
  const natural = 1000 * STEP * Math.max(...paths.map(({ poses }) => poses.length));
  await animate(Math.min(natural, end - performance.now() - pace.rest - pace.fade), signal, draw);
  await pause(pace.rest, signal);
  await fade(room.canvas, pace.fade, signal);
}

type Shadow = Mesh<BufferGeometry, MeshBasicMaterial>;

interface Die {
  mesh: Mesh;
  touch: Shadow; // right under the die
  cast: Shadow; // away from the lamp
  path: Path;
  turn: Quaternion; // of the mesh in the thrown body
}

function makeDice(values: readonly number[], sides: number, paths: readonly Path[], look: Look): Die[] {
  const pips = hasPips(values, sides);
  return facesOf(values, sides).map((faces, index) => {
    const path = paths[index];
    const value = values[index];
    if (!path || value === undefined) throw new Error("fewer dice were thrown than asked for");
    const mesh = new Mesh(
      look.body,
      faces.map((face) => look.face(face, pips)),
    );
    mesh.frustumCulled = false; // drawn before it comes into sight, so that everything is warmed up by then
    const touch = new Mesh(look.blot, look.shadow(2 * index));
    const cast = new Mesh(look.blot, look.shadow(2 * index + 1));
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
