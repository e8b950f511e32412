/** The physics of a throw, worked out before anything is shown. Lengths are in edges of a die. */
import { Body, Box, Plane, Quaternion, Vec3, World } from "cannon-es";

export const STEP = 1 / 120; // seconds between two poses
const LONGEST = 2; // seconds a throw may take until all dice lie still
const TRIES = 16; // of which crowded floors need a few
const GRAVITY = 55;
const SPACING = 1.8; // more than the diagonal of a die: no two touch at the start

/** The directions of a die's faces in its own frame: right, left, top, bottom, front, back. */
export const NORMALS: readonly (readonly [number, number, number])[] = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
];

/** How a die moves, and which of its faces is up in the end. A pose is x, y, z and a quaternion x, y, z, w. */
export interface Path {
  poses: number[][];
  up: number;
}

/** What the dice lie on: a rectangle around the origin in the plane y = 0. */
export interface Floor {
  width: number;
  depth: number;
}

/**
 * Throws dice until one throw comes to rest in time with every die flat on the floor, and says how each die moved.
 * Gives up after some tries, or at `until` on the clock of performance.now().
 */
export function throwDice(count: number, floor: Floor, until = Infinity): Path[] {
  for (let attempt = 0; attempt < TRIES && performance.now() < until; attempt++) {
    const paths = attemptThrow(count, floor);
    if (paths) return paths;
  }
  throw new Error(`${count} dice did not come to rest on a floor of ${floor.width} by ${floor.depth}`);
}

function attemptThrow(count: number, floor: Floor): Path[] | null {
  const side = Math.random() < 0.5 ? 1 : -1;
  const world = makeWorld(floor, side);
  const dice = Array.from({ length: count }, (_, index) => launch(world, floor, side, index, count));
  const poses: number[][][] = dice.map((die) => [poseOf(die)]);
  let open = true;
  for (let time = 0; time < LONGEST; time += STEP) {
    world.step(STEP);
    if (open && dice.every((die) => side * die.position.x < floor.width / 2 - 0.9)) {
      addWall(world, (side * floor.width) / 2, 0, (-side * Math.PI) / 2);
      open = false;
    }
    dice.forEach((die, index) => poses[index]?.push(poseOf(die)));
    if (dice.every(isStill)) break;
  }
  if (!dice.every((die) => isStill(die) && isOnFloor(die, floor))) return null;
  return dice.map((die, index) => ({ poses: poses[index] ?? [], up: faceUp(die) }));
}

/** A floor with walls on three sides; the dice come in through the fourth, which is closed behind them. */
function makeWorld(floor: Floor, side: number): World {
  const world = new World({ gravity: new Vec3(0, -GRAVITY, 0) });
  world.defaultContactMaterial.friction = 0.12;
  world.defaultContactMaterial.restitution = 0.38;
  const ground = new Body({ mass: 0, shape: new Plane() });
  ground.quaternion.setFromAxisAngle(new Vec3(1, 0, 0), -Math.PI / 2);
  world.addBody(ground);
  addWall(world, 0, -floor.depth / 2, 0);
  addWall(world, 0, floor.depth / 2, Math.PI);
  addWall(world, (-side * floor.width) / 2, 0, (side * Math.PI) / 2);
  return world;
}

/** A wall through a point of the floor; without a turn it faces the positive z. */
function addWall(world: World, x: number, z: number, turn: number): void {
  const wall = new Body({ mass: 0, shape: new Plane() });
  wall.position.set(x, 0, z);
  wall.quaternion.setFromAxisAngle(new Vec3(0, 1, 0), turn);
  world.addBody(wall);
}

/** A die in the air beside the floor, on its way in and spinning. */
function launch(world: World, floor: Floor, side: number, index: number, count: number): Body {
  const rows = Math.min(count, Math.max(1, Math.floor((floor.depth - 1) / SPACING)));
  const die = new Body({ mass: 1, shape: new Box(new Vec3(0.5, 0.5, 0.5)) });
  const back = Math.floor(index / rows);
  const across = ((index % rows) - (rows - 1) / 2) * SPACING;
  die.position.set(side * (floor.width / 2 + 1 + back * SPACING), 1.6 + Math.random(), across);
  const pace = floor.width * (1.1 + 0.7 * Math.random()) + 2 * back;
  die.velocity.set(-side * pace, 2 * Math.random(), around(4) - across * 1.2);
  die.angularVelocity.set(around(14), around(14), side * (8 + 12 * Math.random()));
  die.quaternion.copy(anyTurn());
  die.linearDamping = 0.25;
  die.angularDamping = 0.25;
  world.addBody(die);
  return die;
}

function around(most: number): number {
  return (2 * Math.random() - 1) * most;
}

function anyTurn(): Quaternion {
  return new Quaternion(around(1), around(1), around(1), around(1) || 1).normalize();
}

function poseOf({ position, quaternion }: Body): number[] {
  return [position.x, position.y, position.z, quaternion.x, quaternion.y, quaternion.z, quaternion.w];
}

function isStill(die: Body): boolean {
  return die.velocity.length() < 0.25 && die.angularVelocity.length() < 0.4 && Math.abs(die.position.y - 0.5) < 0.03;
}

/** Whether the die lies flat, with all of it on the floor (but for its corners, should it lie askew). */
function isOnFloor(die: Body, floor: Floor): boolean {
  const { x, z } = die.position;
  const isInside = Math.abs(x) < floor.width / 2 - 0.45 && Math.abs(z) < floor.depth / 2 - 0.45;
  return isInside && upness(die, faceUp(die)) > 0.999;
}

function faceUp(die: Body): number {
  const heights = NORMALS.map((_, face) => upness(die, face));
  return heights.indexOf(Math.max(...heights));
}

/** How far up a face looks: 1 is straight up. */
function upness(die: Body, face: number): number {
  return die.quaternion.vmult(new Vec3(...(NORMALS[face] ?? [0, 0, 0]))).y;
}
