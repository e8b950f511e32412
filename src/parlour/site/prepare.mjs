// Run by Node.js while a site is built: makes the files of the engine ready in the very Python that runs in browsers.
// What cannot be loaded there is found here, and nobody's browser has to compile what is compiled here once.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, sources, target] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
try {
  const python = await loadPyodide({ indexURL: pyodide, stdout: (line) => console.error(line) });
  python.unpackArchive(new Uint8Array(readFileSync(sources)), "zip", { extractDir: "/lib/parlour" });
  python.mountNodeFS("/target", target);
  python.runPython("import sys; sys.path.insert(0, '/lib/parlour')");
  await python.runPythonAsync("from parlour.site.prepare import prepare; await prepare('/lib/parlour', '/target')");
} catch (error) {
  console.error(String(error?.message ?? error).trim());
  process.exit(1);
}
