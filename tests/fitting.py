"""Whether everything on a page can be seen: nothing is wider than the screen, and no text is cut off."""

from __future__ import annotations

from playwright.sync_api import Page

# What is wrong on the page, in words. ``allowed`` is a query for what may end in three dots.
_MEASURE = """(allowed) => {
  const faults = new Set();
  const name = (one) => one.tagName.toLowerCase() + [...one.classList].map((part) => `.${part}`).join("")
    + (one.dataset?.testid ? `[${one.dataset.testid}]` : "");
  if (document.documentElement.scrollWidth > innerWidth + 1)
    faults.add(`the page is ${document.documentElement.scrollWidth} wide, the screen ${innerWidth}`);
  const style = (one) => getComputedStyle(one);
  const isUnseen = (one) => one.closest(".unseen, .skip, [aria-hidden=true], [role=img], .over, svg, [hidden], option")
    || (one.closest("details:not([open])") && !one.closest("summary"));
  const scrollsAcross = (one) => /auto|scroll/.test(style(one).overflowX) && one.scrollWidth > one.clientWidth + 1;
  const above = (one) => {
    const found = [];
    for (let up = one; up && up !== document.documentElement; up = up.parentElement) found.push(up);
    return found;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const holder = text.parentElement;
    if (!text.textContent.trim() || isUnseen(holder) || style(holder).visibility === "hidden") continue;
    if (allowed && holder.closest(allowed)) continue;
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) continue;
    const words = `${name(holder)} "${text.textContent.trim().slice(0, 30)}"`;
    const line = above(holder);
    const scroller = line.find(scrollsAcross);
    if (!scroller && (box.right > innerWidth + 1 || box.left < -1)) faults.add(`off the screen: ${words}`);
    for (const one of line) {
      const { overflowX, overflowY } = style(one);
      const edge = one.getBoundingClientRect();
      const hides = (way) => way === "hidden" || way === "clip";
      const isCutAcross = hides(overflowX) && (box.right > edge.right + 1.5 || box.left < edge.left - 1.5);
      const isCutDown = hides(overflowY) && (box.bottom > edge.bottom + 3 || box.top < edge.top - 3);
      if (isCutAcross || isCutDown) faults.add(`cut by ${name(one)}: ${words}`);
    }
  }
  for (const control of document.querySelectorAll("button, a[href], input, select, summary")) {
    const box = control.getBoundingClientRect();
    if (isUnseen(control) || box.width === 0 || above(control).some(scrollsAcross)) continue;
    if (box.right > innerWidth + 1 || box.left < -1) faults.add(`off the screen: ${name(control)}`);
  }
  return [...faults];
}"""


def faults(page: Page, *, allowed: str = "") -> list[str]:
    """What does not fit; ``allowed`` is a query for what may be cut."""
    return list(page.evaluate(_MEASURE, allowed))
