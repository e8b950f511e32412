/** Where the pages are: at the root of their host, or below a path of it, which the server writes into the document. */

const told = globalThis.document?.documentElement.dataset.root ?? "/"; // tests have no document
const root = told.startsWith("/") ? told : new URL(told, location.href).pathname;

/** The path of a page or a request, as the browser has it: `/rules` is at `/games/rules`. What is there already stays. */
export const at = (path: string): string => root + within(path).slice(1);

/** The path below the root: `/games/rules` is `/rules`. */
export const within = (path: string): string => (path.startsWith(root) ? `/${path.slice(root.length)}` : path);

// A host of files cannot say where the pages are: what the document names is found from there, whatever page comes next.
if (!told.startsWith("/"))
  for (const link of document.querySelectorAll<HTMLLinkElement>("link[href]")) link.setAttribute("href", link.href);
