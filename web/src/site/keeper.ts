/** The tables of this browser, in its own database: each as it was opened, and the entries of its log. */

const NAME = "parlour";
const [TABLES, ENTRIES] = ["tables", "entries"];

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(TABLES);
    request.result.createObjectStore(ENTRIES);
  };
  return done(request);
}

const entriesOf = (table: string, after: number): IDBKeyRange =>
  IDBKeyRange.bound([table, after], [table, Number.MAX_SAFE_INTEGER], true);

/** What ``parlour.site.door.BrowserKeeper`` calls. */
export class Keeper {
  private constructor(private readonly database: IDBDatabase) {}

  /** Nothing where this browser keeps nothing, as some private windows do: tables are then gone with the page. */
  static async open(): Promise<Keeper | undefined> {
    return openDatabase().then(
      (database) => new Keeper(database),
      () => undefined,
    );
  }

  private stores(mode: IDBTransactionMode): [IDBObjectStore, IDBObjectStore, Promise<boolean>] {
    const transaction = this.database.transaction([TABLES, ENTRIES], mode);
    const ended = new Promise<boolean>((resolve, reject) => {
      transaction.oncomplete = () => resolve(true);
      transaction.onabort = () =>
        transaction.error?.name === "ConstraintError" ? resolve(false) : reject(transaction.error);
    });
    return [transaction.objectStore(TABLES), transaction.objectStore(ENTRIES), ended];
  }

  /** Write a table and entries from `first` on, all or nothing; false where another page has written one of these. */
  async write(id: string, table: string, first: number, lines: string): Promise<boolean> {
    const [tables, entries, ended] = this.stores("readwrite");
    tables.put(table, id);
    (JSON.parse(lines) as string[]).forEach((line, place) => {
      entries.add(line, [id, first + place]);
    });
    return ended;
  }

  /** The table; nothing where there is none. */
  async read(id: string): Promise<string> {
    const [tables] = this.stores("readonly");
    return ((await done(tables.get(id))) as string | undefined) ?? "";
  }

  /** All entries after one, as a list in JSON. */
  async since(id: string, number: number): Promise<string> {
    const [, entries] = this.stores("readonly");
    return JSON.stringify(await done(entries.getAll(entriesOf(id, number))));
  }

  async all(): Promise<string> {
    const [tables] = this.stores("readonly");
    return JSON.stringify(await done(tables.getAll()));
  }

  async forget(id: string): Promise<void> {
    const [tables, entries, ended] = this.stores("readwrite");
    tables.delete(id);
    entries.delete(entriesOf(id, 0));
    await ended;
  }
}
