/** Notifications are shown from here, for Android lets no page show them; a click leads back to the table. */

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(focus(event.notification.data.path));
});

async function focus(path) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((one) => new URL(one.url).pathname === path);
  return page ? page.focus() : self.clients.openWindow(path);
}
