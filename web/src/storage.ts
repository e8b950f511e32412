/** What this browser remembers: the seats you hold, your name, and how you like things. Nothing is a cookie. */

export interface HeldSeat {
  token: string;
  seat: number;
  game: string;
  title: string;
  invite?: string;
  nonce?: string; // this browser's part in the dice
  at: number; // when it was taken, by this computer's clock
  push?: boolean; // this browser is told when it is your turn
  over?: boolean; // the match is over, or goes on without you
}

/** Which tables the lobby shows; what is not named is not asked for. */
export type TableFilter = Partial<Record<"game" | "company" | "clock", string>>;

export interface Settings {
  name: string;
  language: string;
  theme: "auto" | "light" | "dark";
  speed: "off" | "fast" | "normal";
  confirm: boolean;
  notify: boolean;
  muted: boolean;
  volume: number; // of sounds, 0 to 100
  tellEnd: boolean; // who has won is told before one has watched
  muteTalk: boolean; // nothing is shown or heard of what is said, until one looks
  filter: TableFilter;
  playChances: boolean; // to see win chances where you play
  watchChances: boolean; // and where you watch
}

const SEATS = "parlour.seats";
const SETTINGS = "parlour.settings";
const KEPT_OVER = 40; // seats of matches that are over

export const DEFAULTS: Settings = {
  name: "",
  language: "",
  theme: "auto",
  speed: "normal",
  confirm: true,
  notify: false,
  muted: false,
  volume: 60,
  tellEnd: false,
  muteTalk: false,
  filter: {},
  playChances: false,
  watchChances: false,
};

/** What could not be stored, because storage is full or forbidden: the page still plays, and only forgets later. */
const unsaved = new Map<string, string>();

function read<T>(key: string): T | null {
  try {
    return JSON.parse(unsaved.get(key) ?? localStorage.getItem(key) ?? "null") as T | null;
  } catch {
    return null;
  }
}

function write(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(key, text);
    unsaved.delete(key);
  } catch {
    unsaved.set(key, text);
  }
}

export function settings(): Settings {
  return { ...DEFAULTS, ...read<Partial<Settings>>(SETTINGS) };
}

const heeding = new Set<() => void>();

export function saveSettings(changes: Partial<Settings>): void {
  write(SETTINGS, { ...settings(), ...changes });
  for (const heed of heeding) heed();
}

/** Have this done whenever settings are saved on this page. Gives what ends that. */
export function onSettings(heed: () => void): () => void {
  heeding.add(heed);
  return () => void heeding.delete(heed);
}

/** The seats of this browser, by table. */
export function heldSeats(): Record<string, HeldSeat> {
  return read<Record<string, HeldSeat>>(SEATS) ?? {};
}

export function heldSeat(table: string): HeldSeat | undefined {
  return heldSeats()[table];
}

/** Keep a seat. Only seats of matches that are over are ever thrown away, the oldest first. */
export function holdSeat(table: string, held: HeldSeat): void {
  const all = Object.entries({ ...heldSeats(), [table]: held });
  const over = all.filter(([, seat]) => seat.over).sort(([, a], [, b]) => b.at - a.at);
  const gone = new Set(over.slice(KEPT_OVER).map(([id]) => id));
  write(SEATS, Object.fromEntries(all.filter(([id]) => !gone.has(id))));
}

/** Remember that the match of a seat is over, or that a bot plays it to the end. */
export function markOver(table: string): void {
  const held = heldSeat(table);
  if (held && !held.over) holdSeat(table, { ...held, over: true });
}

export function forgetSeat(table: string): void {
  const seats = heldSeats();
  delete seats[table];
  write(SEATS, seats);
}
