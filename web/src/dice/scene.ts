/** Where solid dice are thrown: a camera and warm light. A scene is costly to make, so it is kept between rolls. */
import { DirectionalLight, HemisphereLight, PerspectiveCamera, Scene, WebGLRenderer } from "three";
import { Materials } from "./materials";
import type { Floor } from "./physics";
import { nextFrame } from "./timing";

const TILT = 0.36; // radians that the camera leans from looking straight down
const VIEW = 24; // degrees
const EDGE = 1.6; // edges of a die: the border of the stage where none comes to rest, both sides together
const KEPT = 30_000; // milliseconds that a scene is kept after a roll; then the graphics card has everything back
const BACKLOG = 3; // drawings that may wait for the graphics card

const idle = new Map<DiceScene, ReturnType<typeof setTimeout>>();

/** A scene that nobody uses, or else a new one. Throws where WebGL is missing. */
export function takeScene(): DiceScene {
  for (const [scene, timer] of idle) {
    clearTimeout(timer);
    idle.delete(scene);
    if (!scene.isLost()) return scene;
    scene.release();
  }
  return new DiceScene();
}

/** Takes the dice out of a scene and keeps it for the next roll. */
export function returnScene(scene: DiceScene): void {
  scene.dice.clear();
  scene.canvas.remove();
  const forget = (): void => {
    idle.delete(scene);
    scene.release();
  };
  idle.set(scene, setTimeout(forget, KEPT));
}

export class DiceScene {
  readonly canvas = document.createElement("canvas");
  readonly dice = new Scene();
  readonly materials = new Materials();
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(VIEW);
  private readonly fences: WebGLSync[] = []; // one after every drawing that may not be done yet
  private readonly context: WebGL2RenderingContext;
  private readonly renderer: WebGLRenderer;

  constructor() {
    const context = this.canvas.getContext("webgl2", { antialias: true, alpha: true });
    if (!context) throw new Error("this browser has no WebGL");
    this.context = context;
    this.renderer = new WebGLRenderer({ canvas: this.canvas, context });
    const lamp = new DirectionalLight(0xffe3b3, 2.2);
    lamp.position.set(-0.45, 1, -0.3);
    this.scene.add(this.dice, lamp, new HemisphereLight(0xfff6e6, 0xb08a5e, 2.1));
  }

  /** Makes the scene as large as a stage, for a number of dice, and says on which part of the floor they may rest. */
  fit(width: number, height: number, count: number): Floor {
    const die = dieSize(width, height, count);
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    const distance = height / die / 2 / Math.tan((VIEW / 360) * Math.PI);
    this.camera.aspect = width / height;
    this.camera.position.set(0, distance * Math.cos(TILT), distance * Math.sin(TILT));
    this.camera.lookAt(0, 0, 0);
    this.camera.updateProjectionMatrix();
    return { width: Math.max(3, width / die - EDGE), depth: Math.max(3, height / die - EDGE) };
  }

  draw(): void {
    this.renderer.render(this.scene, this.camera);
    const fence = this.context.fenceSync(this.context.SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (fence) this.fences.push(fence);
  }

  /** Whether the graphics card has not kept up: to give it more would make the whole page wait. */
  isBehind(): boolean {
    const { SYNC_STATUS, UNSIGNALED } = this.context;
    for (let [fence] = this.fences; fence; [fence] = this.fences) {
      if (this.context.getSyncParameter(fence, SYNC_STATUS) === UNSIGNALED) break;
      this.context.deleteSync(fence);
      this.fences.shift();
    }
    return this.fences.length >= BACKLOG;
  }

  /** Draws, and resolves when it is seen. The first time takes a while; from then on the graphics card keeps up. */
  async warm(): Promise<void> {
    if (this.context.getExtension("KHR_parallel_shader_compile")) {
      await this.renderer.compileAsync(this.scene, this.camera);
    }
    this.draw();
    await nextFrame();
    await nextFrame(); // browsers hold this one back until the first is on the screen
  }

  isLost(): boolean {
    return this.context.isContextLost();
  }

  /** Gives back everything that the graphics card holds. */
  release(): void {
    this.materials.release();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}

/** The edge of a die in pixels: large enough to read, small enough that all of them find scene to lie flat. */
function dieSize(width: number, height: number, count: number): number {
  return Math.max(16, Math.min(84, Math.min(width, height) / 6.5, Math.sqrt((width * height) / (13.5 * count))));
}
