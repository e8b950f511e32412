/** Solid dice: the throw is worked out first, each die is turned so that its value ends on top, then it is shown. */
import {
  DirectionalLight, HemisphereLight, Mesh, MeshBasicMaterial, PCFShadowMap, PerspectiveCamera, PlaneGeometry,
  Quaternion, Scene, ShadowMaterial, Texture, WebGLRenderer, type BufferGeometry, type Material,
} from "three";
import { RoundedBoxGeometry } from "three/addons/geometries/RoundedBoxGeometry.js";
import { facesOf, hasPips } from "./faces";
import { faceMaterial, shadowTexture } from "./look";
import { animate, cover, fade, pause, type Roll } from "./roll";
import { STEP, throwDice, type Floor, type Path } from "./throw";
import { turnFor } from "./turn";

const TILT = 0.36; // radians that the camera leans from looking straight down
const VIEW = 24; // degrees
const EDGE = 1.6; // the strip along the border of the stage where no die comes to rest, on both sides together
const SHORTEST = 250; // milliseconds; a throw that has less time left is not worth showing

/** Throws solid dice over the stage; they come to rest on their values, then fade. Rejects where WebGL is missing. */
export async function tumbleDice(roll: Roll): Promise<void> {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("webgl2", { antialias: true, alpha: true });
  if (!context) throw new Error("this browser has no WebGL");
  const renderer = new WebGLRenderer({ canvas, context });
  const scene = new Scene();
  try {
    await show(roll, renderer, scene);
  } finally {
    canvas.remove();
    scene.traverse(release);
    renderer.dispose();
    renderer.forceContextLoss();
  }
}

async function show(roll: Roll, renderer: WebGLRenderer, scene: Scene): Promise<void> {
  const { stage, values, sides, pace, end, signal } = roll;
  const { camera, floor } = makeRoom(stage, values.length, renderer, scene);
  const paths = throwDice(values.length, floor);
  const dice = makeDice(values, sides, paths);
  scene.add(...dice.flatMap(({ mesh, shadow }) => [mesh, shadow]));
  const draw = (part: number): void => {
    dice.forEach((die) => place(die, part));
    renderer.render(scene, camera);
  };
  draw(0); // compiles the shaders, which takes a moment
  const left = end - performance.now() - pace.rest - pace.fade;
  if (left < SHORTEST) throw new Error("too late to throw dice");
  cover(stage, renderer.domElement);
  const natural = 1000 * STEP * Math.max(...paths.map(({ poses }) => poses.length));
  await animate(Math.min(left, natural), signal, draw);
  await pause(pace.rest, signal);
  await fade(renderer.domElement, pace.fade, signal);
}

/** Light, a floor that only shows shadows, and a camera above it that sees as much of it as fits the stage. */
function makeRoom(
  { clientWidth: width, clientHeight: height }: HTMLElement, count: number, renderer: WebGLRenderer, scene: Scene,
): { camera: PerspectiveCamera; floor: Floor } {
  const die = dieSize(width, height, count);
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setSize(width, height, false);
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  const camera = new PerspectiveCamera(VIEW, width / height, 0.1, 1000);
  const distance = height / die / 2 / Math.tan((VIEW / 360) * Math.PI);
  camera.position.set(0, distance * Math.cos(TILT), distance * Math.sin(TILT));
  camera.lookAt(0, 0, 0);
  const reach = Math.max(width, height) / die;
  const shade = new ShadowMaterial({ color: 0x2a1505, opacity: 0.3 });
  const ground = new Mesh(new PlaneGeometry(4 * reach, 4 * reach), shade);
  ground.rotation.x = -Math.PI / 2;
  ground.receiveShadow = true;
  scene.add(ground, new HemisphereLight(0xfff6e6, 0xb08a5e, 2.1), makeLamp(reach));
  return { camera, floor: { width: Math.max(3, width / die - EDGE), depth: Math.max(3, height / die - EDGE) } };
}

/** The edge of a die in pixels: large enough to read, small enough that all of them find room to lie flat. */
function dieSize(width: number, height: number, count: number): number {
  return Math.max(16, Math.min(84, Math.min(width, height) / 6.5, Math.sqrt((width * height) / (13.5 * count))));
}

/** A warm lamp over the upper left. */
function makeLamp(reach: number): DirectionalLight {
  const lamp = new DirectionalLight(0xffe3b3, 2.2);
  lamp.position.set(-0.45 * reach, reach, -0.3 * reach);
  lamp.castShadow = true;
  lamp.shadow.mapSize.set(1024, 1024);
  lamp.shadow.radius = 5;
  lamp.shadow.bias = -0.0005;
  lamp.shadow.normalBias = 0.03;
  const half = reach * 0.75;
  Object.assign(lamp.shadow.camera, { left: -half, right: half, top: half, bottom: -half, near: 0.1, far: 3 * reach });
  return lamp;
}

interface Die {
  mesh: Mesh<BufferGeometry, Material[]>;
  shadow: Mesh<BufferGeometry, MeshBasicMaterial>;
  path: Path;
  turn: Quaternion; // of the mesh in the thrown body, so that the wanted face is where the body's upper face is
}

function makeDice(values: readonly number[], sides: number, paths: readonly Path[]): Die[] {
  const body = new RoundedBoxGeometry(1, 1, 1, 5, 0.14);
  const blot = new PlaneGeometry(1.9, 1.9).rotateX(-Math.PI / 2);
  const map = shadowTexture();
  const pips = hasPips(values, sides);
  const materials = new Map<number, Material>();
  const material = (value: number): Material => {
    const made = materials.get(value) ?? faceMaterial(value, pips);
    materials.set(value, made);
    return made;
  };
  return facesOf(values, sides).map((faces, index) => {
    const path = paths[index];
    const value = values[index];
    if (!path || value === undefined) throw new Error("fewer dice were thrown than asked for");
    const mesh = new Mesh(body, faces.map(material));
    mesh.castShadow = true;
    const shadow = new Mesh(blot, new MeshBasicMaterial({ map, transparent: true, depthWrite: false }));
    return { mesh, shadow, path, turn: turnFor(faces, value, path) };
  });
}

const earlier = new Quaternion();
const later = new Quaternion();

/** Puts a die where it is after a part of its path, 0 to 1. */
function place({ mesh, shadow, path, turn }: Die, part: number): void {
  const at = part * (path.poses.length - 1);
  const before = path.poses[Math.floor(at)] ?? [];
  const after = path.poses[Math.ceil(at)] ?? before;
  const mix = at % 1;
  const [x = 0, y = 0, z = 0] = before.slice(0, 3).map((from, axis) => from + ((after[axis] ?? from) - from) * mix);
  mesh.position.set(x, y, z);
  earlier.fromArray(before, 3);
  later.fromArray(after, 3);
  mesh.quaternion.slerpQuaternions(earlier, later, mix).multiply(turn);
  shadow.position.set(x, 0.01, z);
  shadow.scale.setScalar(0.85 + 0.25 * y);
  shadow.material.opacity = 0.75 / (1 + 2 * Math.max(0, y - 0.5));
}

/** Gives back what an object of the scene holds on the graphics card. Releasing shared things twice does no harm. */
function release(object: object): void {
  if (object instanceof DirectionalLight) object.dispose();
  if (!(object instanceof Mesh)) return;
  object.geometry.dispose();
  for (const material of [object.material].flat()) {
    for (const held of Object.values(material)) if (held instanceof Texture) held.dispose();
    material.dispose();
  }
}
