/** Matches right after a lesson: at every turn a hint comes by itself. Remembered until the browser is closed. */

const GUIDED = "parlour.guided";

export function guide(table: string): void {
  try {
    sessionStorage.setItem(GUIDED, table);
  } catch {
    // A browser that remembers nothing plays without.
  }
}

export function isGuided(table: string): boolean {
  try {
    return sessionStorage.getItem(GUIDED) === table;
  } catch {
    return false;
  }
}
