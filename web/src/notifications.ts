/** Notifications by the system, for whoever wants them and looks elsewhere. */

import { at } from "./root";

/** The worker, which is at the root so that all pages are its own. */
const WORKER = at("/worker.js");

let isRenewed = false;

/** Whether newer pages than the one that is open are there. */
export const hasNewPages = (): boolean => isRenewed;

/** Let the worker keep the pages: they then open at once, and without the network. */
export function startWorker(): void {
  const { serviceWorker } = navigator;
  if (serviceWorker?.controller) serviceWorker.addEventListener("controllerchange", () => (isRenewed = true));
  serviceWorker?.register(WORKER).catch(() => undefined); // all works without it, only slower
}

/** Ask whether notifications may be shown. */
export async function askPermission(): Promise<boolean> {
  return "Notification" in window && (await Notification.requestPermission()) === "granted";
}

/** The worker, once it works. */
export async function worker(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(WORKER);
  await isActive(registration);
  return registration;
}

/** Show a notification that leads to this page. Where the browser has none, nothing happens. */
export async function notify(title: string, body: string): Promise<void> {
  if (!("Notification" in window) || Notification.permission !== "granted" || !navigator.serviceWorker) return;
  const path = location.pathname;
  await (await worker()).showNotification(title, { body, tag: path, data: { path } });
}

async function isActive(registration: ServiceWorkerRegistration): Promise<void> {
  const starting = registration.installing ?? registration.waiting;
  if (registration.active || !starting) return;
  await new Promise<void>((resolve) => {
    starting.addEventListener("statechange", () => starting.state === "activated" && resolve());
  });
}
