/** What this browser remembers: the seats you hold, your name, and how you like things. Nothing is a cookie. */

export interface HeldSeat {
  token: string;
  seat: number;
  game: string;
  title: string;
  invite?: string;
  at: number;
}

export interface Settings {
  name: string;
  language: string;
  theme: "auto" | "light" | "dark";
  speed: "off" | "fast" | "normal";
  confirm: boolean;
  notify: boolean;
  muted: boolean;
}

const SEATS = "parlour.seats";
const SETTINGS = "parlour.settings";
const MOST_SEATS = 40;

const USUAL: Settings = {
  name: "",
  language: "",
  theme: "auto",
  speed: "normal",
  confirm: true,
  notify: false,
  muted: false,
};

/** A browser that forbids storage still plays; it only forgets. */
const fallback = new Map<string, string>();

function read<T>(key: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? fallback.get(key) ?? "null") as T | null;
  } catch {
    return null;
  }
}

function write(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  fallback.set(key, text);
  try {
    localStorage.setItem(key, text);
  } catch {
    // Full, or forbidden.
  }
}

export function settings(): Settings {
  return { ...USUAL, ...read<Partial<Settings>>(SETTINGS) };
}

export function change(changes: Partial<Settings>): void {
  write(SETTINGS, { ...settings(), ...changes });
}

export function heldSeats(): Record<string, HeldSeat> {
  return read<Record<string, HeldSeat>>(SEATS) ?? {};
}

export function heldSeat(table: string): HeldSeat | undefined {
  return heldSeats()[table];
}

/** Keep a seat; of many, those held longest ago are forgotten. */
export function hold(table: string, held: HeldSeat): void {
  const all = Object.entries({ ...heldSeats(), [table]: held }).sort((a, b) => b[1].at - a[1].at);
  write(SEATS, Object.fromEntries(all.slice(0, MOST_SEATS)));
}

export function letGo(table: string): void {
  const seats = heldSeats();
  delete seats[table];
  write(SEATS, seats);
}
