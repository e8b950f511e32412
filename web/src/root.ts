/** Where the pages are: at the root of their host, or below a path of it, which the server writes into the document. */

const root = globalThis.document?.documentElement.dataset.root ?? "/"; // tests have no document

/** The path of a page or a request, as the browser has it: `/rules` is at `/games/rules`. What is there already stays. */
export const at = (path: string): string => root + within(path).slice(1);

/** The path below the root: `/games/rules` is `/rules`. */
export const within = (path: string): string => (path.startsWith(root) ? `/${path.slice(root.length)}` : path);
