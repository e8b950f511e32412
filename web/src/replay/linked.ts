/** Replays that a link brings along: packed, after the #, where no server sees them. Reports of tournaments have such links. */

const KEY = "#replay=";
const LARGEST = 8 * 2 ** 20; // characters of a replay; a link can unpack to far more than it holds

/** The text of the replay file in the fragment of an address; null where there is none. Throws where it is broken. */
export async function linkedReplay(hash: string): Promise<string | null> {
  if (!hash.startsWith(KEY)) return null;
  const letters = hash.slice(KEY.length).replace(/-/g, "+").replace(/_/g, "/");
  const packed = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = unpacked.pipeThrough(new TextDecoderStream("utf-8", { fatal: true })).getReader();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    if (text.length > LARGEST) {
      await reader.cancel();
      throw new RangeError("too large");
    }
  }
  return text;
}
