/** A position as a document of its own, which brings the page's letters along. */

import nunitoSans from "../fonts/nunito-sans.woff2";
import type { Frames } from "../protocol";

const FAMILY = "Nunito Sans";

let asked: Promise<string> | null = null;

/** The style that brings the letters of boards along; where they cannot be loaded, none. */
export function letters(): Promise<string> {
  asked ??= load().catch(() => {
    asked = null;
    return "";
  });
  return asked;
}

async function load(): Promise<string> {
  const bytes = new Uint8Array(await (await fetch(nunitoSans)).arrayBuffer());
  const signs = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const source = `url(data:font/woff2;base64,${btoa(signs)}) format("woff2")`;
  return `<style>@font-face{font-family:"${FAMILY}";font-weight:200 1000;src:${source}}</style>`;
}

export function svgDocument(
  { size, backdrop, title }: Pick<Frames, "size" | "backdrop" | "title">,
  scene: string,
  style: string,
): string {
  const [width, height] = size;
  const escaped = title.replace(/[<&>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const fonts = `'${FAMILY}', ui-rounded, 'DejaVu Sans', system-ui, sans-serif`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `font-family="${fonts}"><title>${escaped}</title>${style}${backdrop}${scene}</svg>`
  );
}
