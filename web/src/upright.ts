/** Pictures that can stand upright on small screens. They say themselves what then lies where. */

export type Size = readonly [width: number, height: number];

/** How large the picture is where it stands upright; null, if it cannot. */
export function uprightSize(backdrop: string): Size | null {
  const [, width, height] = /^<g data-upright-size="([\d.]+) ([\d.]+)">/.exec(backdrop) ?? [];
  return width && height ? [Number(width), Number(height)] : null;
}

const SMALL = "(max-width: 860px), (max-height: 520px)"; // as in the style of small screens

/** Whether the picture is to stand upright here: on a small screen, if things are larger so. */
export function isToStand(upright: Size, lying: Size, room: Element): boolean {
  return matchMedia(SMALL).matches && isLarger(upright, lying, room);
}

/** Whether things are larger in a picture of the one size than in one of the other, as both fit this room. */
function isLarger(one: Size, other: Size, room: Element): boolean {
  const scale = ([width, height]: Size): number => Math.min(room.clientWidth / width, room.clientHeight / height);
  return scale(one) > scale(other);
}

/** Put everything where it lies when the picture stands upright: `data-upright` has the attributes that differ. */
export function standUpright(drawn: Element): void {
  for (const element of drawn.querySelectorAll<SVGElement>("[data-upright]")) {
    for (const attribute of element.dataset.upright?.split(";") ?? []) {
      const [name = "", value = ""] = attribute.split(":");
      element.setAttribute(name, value);
    }
  }
}
