/** What a page is, how one leads to another, and the address that goes with it. */

/** A page: what it shows, and how it ends. */
export interface Page {
  title: string;
  element: HTMLElement;
  wide?: boolean;
  isLost?: boolean; // the server could not be reached
  leave?(): void;
  key?(event: KeyboardEvent): void;
}

type Navigate = (path: string) => Promise<void>;

let travel: Navigate = async (path) => location.assign(path);

export function setNavigate(navigate: Navigate): void {
  travel = navigate;
}

/** Go to another page of this site; done once it is shown. */
export function navigate(path: string): Promise<void> {
  return travel(path);
}

const PAUSE = 400; // milliseconds between two changes of the address; Safari allows a hundred in 30 s

let shown = "";
let timer = 0;
let changed = -PAUSE; // when the address was changed last

export const address = (): string => location.pathname + location.search;

/** Remember which address the page on the screen has. */
export function setShown(path: string): void {
  clearTimeout(timer);
  shown = path;
}

export const isShown = (): boolean => address() === shown;

/** Another query for the address of the same page. Of many in a row only the last is written. */
export function changeAddress(path: string): void {
  clearTimeout(timer);
  timer = window.setTimeout(
    () => {
      if (!path.startsWith(`${location.pathname}?`)) return; // somebody has gone elsewhere meanwhile
      changed = performance.now();
      history.replaceState(history.state, "", path);
      shown = path;
    },
    Math.max(0, changed + PAUSE - performance.now()),
  );
}
