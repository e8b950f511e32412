/** A position as a document of its own. */

import type { Frames } from "../protocol";

export function svgDocument(
  { size, backdrop, title }: Pick<Frames, "size" | "backdrop" | "title">,
  scene: string,
): string {
  const [width, height] = size;
  const escaped = title.replace(/[<&>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const fonts = "ui-rounded, 'DejaVu Sans', system-ui, sans-serif";
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `font-family="${fonts}"><title>${escaped}</title>${backdrop}${scene}</svg>`
  );
}
