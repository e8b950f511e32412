/**
 * What works without a page: the pages open at once and without the network; a push message says that it is somebody's
 * turn, and notifications lead to their table.
 * What the server says is never kept: a match is only true there.
 */

const KEPT = "parlour-1";
const ROOT = new URL("./", self.location.href).pathname; // where the pages are
const MOST = 120; // files that are kept; those of older versions go first
const PATIENCE = 3000; // milliseconds for the newest page; then the one that is kept is shown

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(KEPT).then((cache) => cache.add(ROOT)));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), forgetOld()]));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(newestPage(request));
  else if (pathname.startsWith(`${ROOT}assets/`) || pathname.startsWith(`${ROOT}icons/`))
    event.respondWith(keptFile(request));
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

/** One document serves all pages: the newest in time, else the one that is kept. */
async function newestPage(request) {
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
    if (answer.ok) await (await caches.open(KEPT)).put(ROOT, answer.clone());
    return answer;
  } catch (error) {
    const kept = await caches.match(ROOT);
    if (!kept) throw error;
    return kept;
  }
}

/** A file whose name has a hash of its content never changes. */
async function keptFile(request) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(KEPT)).put(request, answer.clone());
  return answer;
}

async function forgetOld() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)));
  const cache = await caches.open(KEPT);
  const files = (await cache.keys()).filter(({ url }) => new URL(url).pathname !== ROOT);
  await Promise.all(files.slice(0, Math.max(0, files.length - MOST)).map((file) => cache.delete(file)));
}

async function focus(path) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((one) => new URL(one.url).pathname === path);
  return page ? page.focus() : self.clients.openWindow(path);
}
