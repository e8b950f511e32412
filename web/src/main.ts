/** The start: finds out by the address which page to show, and shows it. */

import { at, within } from "./root";
import "./style/base.css";
import "./style/controls.css";
import "./style/house.css";
import "./style/windows.css";
import "./style/pages.css";
import "./style/board.css";
import "./style/choosing.css";
import "./style/seats.css";
import "./style/chances.css";
import "./style/talk.css";
import "./style/table.css";
import "./style/screens.css";
import "./style/replay.css";
import "./style/learn.css";
import "./style/rulebook.css";
import "./style/touch.css";
import { closeToHistory, isOverPage, settled } from "./dialog";
import { fill } from "./dom";
import { showHelp } from "./help";
import { engineReady, isHere } from "./house";
import { language } from "./language";
import { layout } from "./layout";
import { hasNewPages, startWorker } from "./notifications";
import { whenReachable } from "./offline";
import { address, isShown, type Page, setNavigate, setShown } from "./page";
import { failure, notFound } from "./pages/error";
import { lobby } from "./pages/lobby";
import { applyTheme } from "./settings";

let current: Page | null = null;
let visits = 0;
let stopWaiting = (): void => undefined; // for the server

/** The page of an address. */
async function find(path: string): Promise<Page> {
  const [, first = "", name = "", ...rest] = path.replace(/\/$/, "").split("/").map(decodeURIComponent);
  if (rest.length > 0) return notFound();
  if (first === "" || (first === "tables" && !isHere)) return lobby(first === "tables");
  if (first === "table" && name) return (await import("./pages/table")).table(name);
  if (first === "replay") return (await import("./pages/replay")).replay(name || null);
  if (first === "learn") return (await import("./pages/learn")).learnPage(name || null);
  if (first === "rules") return (await import("./pages/rules")).rules(name || null);
  return notFound();
}

async function show(): Promise<void> {
  visits += 1;
  const visit = visits;
  document.documentElement.lang = language();
  const { hash } = location; // a page may take what is in it out of the address
  const page = await find(within(location.pathname)).catch((error: unknown) => failure(error));
  if (visit !== visits) {
    page.leave?.(); // somebody has gone elsewhere meanwhile
    return;
  }
  current?.leave?.();
  current = page;
  stopWaiting();
  if (page.isLost || !(navigator.onLine || isHere)) stopWaiting = whenReachable(() => location.reload());
  document.title = page.title;
  setShown(address());
  const app = document.getElementById("app");
  if (app) fill(app, ...layout(page, () => void show()));
  window.scrollTo(0, 0);
  if (hash) document.getElementById(hash.slice(1))?.scrollIntoView();
}

async function navigate(wanted: string): Promise<void> {
  await settled();
  const path = at(wanted);
  if (hasNewPages()) return location.assign(path); // a way on is the time to change
  const isHere = path === location.pathname + location.search;
  if (isOverPage() || isHere) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  closeToHistory();
  await show();
  document.getElementById("main")?.focus({ preventScroll: true }); // what had the focus is gone
}

/** Back and Forward: another page, unless only a window or a place on the page differs. */
function onHistory(): void {
  closeToHistory();
  if (!isShown()) void show();
}

function onClick(event: MouseEvent): void {
  const link = (event.target as Element).closest("a");
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.defaultPrevented;
  if (!link || !isPlain || link.origin !== location.origin || link.hasAttribute("download") || link.target) return;
  if (within(link.pathname).startsWith("/api/") || link.getAttribute("href")?.startsWith("#")) return;
  event.preventDefault();
  void navigate(link.pathname + link.search + link.hash);
}

function onKey(event: KeyboardEvent): void {
  const target = event.target as Element;
  if (target.closest("dialog")) return; // a window has its own keys: Esc closes it
  if (target.closest("input, textarea, select") && event.key !== "Escape") return;
  if (event.key === "?") showHelp();
  else current?.key?.(event);
}

setNavigate(navigate);
applyTheme();
document.addEventListener("click", onClick);
document.addEventListener("keydown", onKey);
window.addEventListener("popstate", onHistory);
void show().then(engineReady).then(startWorker, startWorker); // what loads first is for whoever waits
