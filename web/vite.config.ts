import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const FIRST_LOAD = 60 * 1024; // bytes of script that the first page may take, compressed

/** Adds up the script that every page loads, and fails the build if it has grown too large. */
function weigh(): Plugin {
  return {
    name: "weigh",
    writeBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((part) => part.type === "chunk");
      const named = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const needed = new Set<string>();
      const need = (name: string): void => {
        if (needed.has(name)) return;
        needed.add(name);
        named.get(name)?.imports.forEach(need);
      };
      chunks.filter((chunk) => chunk.isEntry).forEach((chunk) => need(chunk.fileName));
      const size = [...needed].reduce((sum, name) => sum + gzipSync(named.get(name)?.code ?? "").length, 0);
      console.log(`first load: ${(size / 1024).toFixed(1)} KB of script, compressed (at most ${FIRST_LOAD / 1024})`);
      if (size > FIRST_LOAD) throw new Error("the first load is too large");
    },
  };
}

const RARE = /solid|gif|local-house|engine/; // files that most people never need

/** Writes into the worker what the pages of this build consist of. */
function fillWorker(): Plugin {
  return {
    name: "worker",
    apply: "build",
    generateBundle(_, bundle) {
      const files = Object.keys(bundle).filter((name) => name.startsWith("assets/") && !RARE.test(name));
      const parts = [...files, readFileSync("index.html", "utf-8")];
      const version = createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 12);
      const source = readFileSync("worker.js", "utf-8")
        .replace('"version"', JSON.stringify(version))
        .replace('["files"]', JSON.stringify(files));
      this.emitFile({ type: "asset", fileName: "worker.js", source });
    },
  };
}

export default defineConfig({
  base: "./", // the server says where the pages are
  build: {
    outDir: "../src/parlour/server/web",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700, // the dice, which come last of all
    assetsInlineLimit: 0, // the page's policy allows no inline parts
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8017", ws: true } } },
  worker: { format: "es" },
  plugins: [weigh(), fillWorker()],
});
