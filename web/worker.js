/**
 * What works without a page: the pages open at once, and without the network; a push message says that it is somebody's
 * turn, and notifications lead to their table.
 * What the server says is never kept: a match is only true there.
 *
 * Every build of the pages has a worker of its own, which keeps all that its pages consist of before it takes over. A
 * page that is open meanwhile goes on with what the worker before has kept. So the parts of two builds never meet.
 */

const VERSION = "version"; // of the pages; the build writes it here,
const FILES = ["files"]; // and what they consist of
const KEPT = `parlour-${VERSION}`;
const ROOT = new URL("./", self.location.href).pathname; // where the pages are
const PAGES = /^(tables|(table|replay|rules|learn)(\/[^/]*)?)?\/?$/; // below the root
const NAMED = /^(assets|icons|(engine|kept)-[0-9a-f]+)\//; // files that never change

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(keepAll());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), forgetOld()]));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin || !pathname.startsWith(ROOT)) return;
  const path = pathname.slice(ROOT.length);
  if (request.mode === "navigate") {
    if (!PAGES.test(path)) return;
    event.respondWith(keptPage(request));
    event.waitUntil(renewPage());
  } else if (NAMED.test(path)) event.respondWith(keptFile(request));
});

self.addEventListener("push", (event) => {
  const told = event.data?.json() ?? {};
  const path = `${ROOT}table/${encodeURIComponent(told.table ?? "")}`;
  const more = { body: told.body ?? "", tag: path, renotify: true, icon: `${ROOT}icons/icon-192.png`, data: { path } };
  event.waitUntil(self.registration.showNotification(told.title ?? "Parlour", more));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(focus(event.notification.data.path));
});

async function keepAll() {
  const cache = await caches.open(KEPT);
  await cache.addAll(FILES.map((file) => ROOT + file));
  await keep(await fetch(newest()));
}

/** The document as the server has it, not as the browser remembers it. */
const newest = () => new Request(ROOT, { cache: "reload" });

/** One document serves all pages. */
async function keptPage(request) {
  const kept = await (await caches.open(KEPT)).match(ROOT);
  return kept ?? fetch(request);
}

/** The server may say other things around the same pages. Of other pages, their own worker takes care. */
async function renewPage() {
  const answer = await fetch(newest()).catch(() => null);
  if (!answer?.ok) return;
  const text = await answer.clone().text();
  const named = text.match(/assets\/[\w-]+\.js|\b(?:engine|kept)-[0-9a-f]{12}/g) ?? [];
  if (named.every((name) => FILES.some((file) => file.startsWith(name)))) await keep(answer);
}

/** Keep the document, for whatever address: a host of files does not say where the pages are, as a server does. */
async function keep(answer) {
  if (!answer.ok) throw new Error("no document");
  const placed = (await answer.text()).replaceAll('"./', `"${ROOT}`);
  const headers = new Headers(answer.headers);
  for (const name of ["content-encoding", "content-length"]) headers.delete(name); // it is text now
  await (await caches.open(KEPT)).put(ROOT, new Response(placed, { headers }));
}

/** A file whose name has a hash of its content never changes: it may be from any build. */
async function keptFile(request) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(KEPT)).put(request, answer.clone());
  return answer;
}

/** Pages of the build before may still be open; older ones are not. */
async function forgetOld() {
  const others = (await caches.keys()).filter((name) => name !== KEPT);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

async function focus(path) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((one) => new URL(one.url).pathname === path);
  return page ? page.focus() : self.clients.openWindow(path);
}
