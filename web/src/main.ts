/** The start: finds out by the address which page to show, and shows it in its frame. */

import "./style/base.css";
import "./style/controls.css";
import "./style/house.css";
import "./style/windows.css";
import "./style/pages.css";
import "./style/board.css";
import "./style/choosing.css";
import "./style/seats.css";
import "./style/talk.css";
import "./style/table.css";
import { type Page, setTravel } from "./app";
import { fill, h } from "./dom";
import { applyTheme, frame } from "./frame";
import { language } from "./language";
import { lobby } from "./pages/lobby";
import { missing, trouble } from "./pages/missing";

let shown: Page | null = null;
let visit = 0;

/** The page of an address. */
async function find(path: string): Promise<Page> {
  const [, first = "", name = "", ...rest] = path.split("/").map(decodeURIComponent);
  if (rest.length > 0) return missing();
  if (first === "" || first === "tables") return lobby(first === "tables");
  if (first === "table" && name) return (await import("./pages/table")).table(name);
  if (first === "replay") return (await import("./pages/replay")).replay(name || null);
  if (first === "rules") return (await import("./pages/rules")).rules(name || null);
  return missing();
}

async function show(): Promise<void> {
  visit += 1;
  const mine = visit;
  document.documentElement.lang = language();
  const page = await find(location.pathname).catch((error: unknown) => trouble(error));
  if (mine !== visit) return page.leave?.();
  shown?.leave?.();
  shown = page;
  document.title = page.title;
  const app = document.getElementById("app");
  if (app) fill(app, ...frame(page, () => void show()));
  window.scrollTo(0, 0);
}

function travel(path: string): void {
  history.pushState(null, "", path);
  void show();
}

function follow(event: MouseEvent): void {
  const link = (event.target as Element).closest("a");
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.defaultPrevented;
  if (!link || !isPlain || link.origin !== location.origin || link.hasAttribute("download") || link.target) return;
  if (link.pathname.startsWith("/api/") || link.getAttribute("href")?.startsWith("#")) return;
  event.preventDefault();
  travel(link.pathname + link.search + link.hash);
}

function key(event: KeyboardEvent): void {
  const target = event.target as Element;
  if (target.closest("dialog")) return; // a window has its own keys: Esc closes it
  if (!target.closest("input, textarea, select") || event.key === "Escape") shown?.key?.(event);
}

setTravel(travel);
applyTheme();
document.addEventListener("click", follow);
document.addEventListener("keydown", key);
window.addEventListener("popstate", () => void show());
document.body.prepend(h("a", { class: "skip", href: "#main" }, "↓"));
void show();
