import { expect, test } from "vitest";
import { linkedReplay } from "../src/replay/linked";

async function link(content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const packed = new Blob([content]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `#replay=${letters.replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "")}`;
}

test("a link brings a replay along, as it was", async () => {
  const text = `{"seed": ${"9".repeat(38)}, "names": ["Ünïcode 🎲"]}`;
  expect(await linkedReplay(await link(text))).toBe(text);
});

test("other addresses bring none", async () => {
  for (const hash of ["", "#", "#replay", "#invite=abc"]) expect(await linkedReplay(hash)).toBeNull();
});

test("broken links and bombs are refused", async () => {
  const cut = (await link("x".repeat(1000))).slice(0, -3);
  for (const hash of ["#replay=%", "#replay=AAAA", cut, await link(new Uint8Array([255, 254]))])
    await expect(linkedReplay(hash)).rejects.toThrow();
  await expect(linkedReplay(await link("x".repeat(2 ** 24)))).rejects.toThrow("too large");
});
