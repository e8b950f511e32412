"""What eyes and fingers find on a page: how far letters stand out from what is behind them, how large targets are."""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import CDPSession, Page

FINGER = 44  # pixels
USUAL, LARGE = 16, 32  # pixels: the letters of a browser, and those of somebody who needs them twice as large
READ, READ_LARGE = 4.5, 3.0  # contrast, as WCAG AA asks for; large is from 24 pixels, or from 18.66 in bold
COVERED = 0.4  # of a pixel: so much of it is of a letter, and not only its edge
ASTRAY = 40  # of 255: a colour so far from any mix of a letter and what is behind it is that of another text
WORST = 10  # percent of a text's pixels that may stand out less than the rest

# Every text that can be seen, in a colour that its neighbours have not: so each pixel tells whose it is.
_PAINT = """() => {
  const MARKS = ["255,0,255", "0,255,255", "255,255,0", "0,0,255", "255,0,0", "0,255,0"];
  const found = [];
  const fade = (one) => {
    let opacity = 1;
    for (let up = one; up; up = up.parentElement) opacity *= Number(getComputedStyle(up).opacity);
    return opacity;
  };
  // What of it is not cut off by something that scrolls.
  const seen = (whole, holder) => {
    let [left, top] = [Math.max(0, whole.left), Math.max(0, whole.top)];
    let [right, bottom] = [Math.min(innerWidth, whole.right), Math.min(innerHeight, whole.bottom)];
    for (let up = holder; up; up = up.parentElement) {
      if (getComputedStyle(up).overflow === "visible") continue;
      const edge = up.getBoundingClientRect();
      [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
      [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
    }
    return { left, top, right, bottom };
  };
  const open = document.querySelector("dialog[open]");
  const painted = window.painted = [];
  const range = document.createRange();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const holder = text.parentElement;
    const isOff = holder.closest("script, style, title, option, .unseen, .skip, :disabled, [aria-disabled=true]");
    if (!text.textContent.trim() || isOff || !holder.checkVisibility({ visibilityProperty: true })) continue;
    range.selectNodeContents(text);
    const box = seen(range.getBoundingClientRect(), holder);
    if (box.right <= box.left || box.bottom <= box.top) continue;
    if (open && !open.contains(holder)) continue; // all else is dimmed
    const style = getComputedStyle(holder);
    const isDrawn = holder instanceof SVGElement;
    const scale = isDrawn ? Math.hypot(holder.getScreenCTM().a, holder.getScreenCTM().b) : 1;
    const size = scale * parseFloat(style.fontSize);
    const isNear = ({ box: [left, top, right, bottom] }) =>
      left < box.right && right > box.left && top < box.bottom && bottom > box.top;
    const taken = found.filter(isNear).map((other) => other.mark);
    const mark = MARKS.find((one) => !taken.includes(one)) ?? MARKS[found.length % MARKS.length];
    found.push({
      words: text.textContent.trim(), box: [box.left, box.top, box.right, box.bottom], fade: fade(holder), mark,
      colour: isDrawn ? style.fill : style.color,
      isLarge: size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700),
    });
    painted.push([holder, isDrawn ? "fill" : "-webkit-text-fill-color", mark]);
  }
  for (const [holder, property, mark] of painted) holder.style.setProperty(property, `rgb(${mark})`, "important");
  return found;
}"""
_HIDE = """() => {
  for (const [holder, property] of window.painted) holder.style.setProperty(property, "transparent", "important");
}"""
_SHOW = "() => { for (const [holder, property] of window.painted) holder.style.removeProperty(property); }"

# What is smaller than a finger, and answers to none that is laid on it. Links within a text are as high as its lines.
_TARGETS = """(finger) => {
  const faults = new Set();
  const shown = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".unseen, .skip");
  const isInline = (one) => one.matches("a") && getComputedStyle(one).display === "inline"
    && one.parentElement.textContent.trim().length > one.textContent.trim().length;
  const all = [...document.querySelectorAll("button, a[href], input, select, summary, [role=tab]")];
  const open = document.querySelector("dialog[open], .more[open]"); // nothing else is meant then
  scrollTo(0, 0);
  for (const one of all) {
    if (!shown(one) || one.disabled || one.matches(".clause-link") || isInline(one)) continue;
    if (open && !open.contains(one)) continue;
    const target = one.closest("label") ?? one;
    target.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    const box = target.getBoundingClientRect();
    if (box.width === 0 || box.height === 0 || (box.width >= finger - 0.5 && box.height >= finger - 0.5)) continue;
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const answers = (dx, dy) => {
      const hit = document.elementFromPoint(x + dx, y + dy);
      return hit !== null && (target.contains(hit) || hit.control === one);
    };
    const reach = (across, down) => {
      let far = 0;
      while (far < finger && answers((far + 1) * across, (far + 1) * down)) far += 1;
      return far;
    };
    if (reach(-1, 0) + reach(1, 0) >= finger - 2 && reach(0, -1) + reach(0, 1) >= finger - 2) continue;
    const name = one.dataset.testid ?? one.getAttribute("aria-label") ?? one.textContent.trim().slice(0, 30);
    faults.add(`${one.tagName.toLowerCase()} ${name}: ${Math.round(box.width)} x ${Math.round(box.height)}`);
  }
  scrollTo(0, 0);
  return [...faults];
}"""
_SETTLE = """() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
  .then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))"""


@dataclass
class Eyes:
    """Somebody before this page, with a screen, letters and light that can be changed while the page stays."""

    page: Page

    def __post_init__(self) -> None:
        self.cdp: CDPSession = self.page.context.new_cdp_session(self.page)

    def sees(self, width: int, height: int, *, touch: bool = False, letters: int = USUAL, dark: bool = False) -> None:
        """Have another screen. To zoom to 200% is to have one of half the size."""
        self.cdp.send("Emulation.setTouchEmulationEnabled", {"enabled": touch})
        self.cdp.send("Page.setFontSizes", {"fontSizes": {"standard": letters, "fixed": letters * 13 // 16}})
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(color_scheme="dark" if dark else "light")
        self.settle()

    def settle(self) -> None:
        self.page.evaluate(_SETTLE)

    def photograph(self) -> NDArray[np.int16]:
        taken = self.cdp.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
        picture = Image.open(io.BytesIO(base64.b64decode(taken["data"]))).convert("RGB")
        return np.asarray(picture, dtype=np.int16)

    def small_targets(self) -> list[str]:
        return list(self.page.evaluate(_TARGETS, FINGER))

    def faint_words(self) -> list[str]:
        """Texts that stand out too little from what is behind them, by the colours that were drawn there."""
        texts: list[dict[str, Any]] = self.page.evaluate(_PAINT)
        self.settle()
        painted = self.photograph()
        self.page.evaluate(_HIDE)
        self.settle()
        bare = self.photograph()
        self.page.evaluate(_SHOW)
        faults = []
        for text in texts:
            left, top, right, bottom = (max(0, round(side)) for side in text["box"])
            ground = bare[top:bottom, left:right]
            mark = colour_of(f"rgb({text['mark']})")[0]
            behind = ground[
                are_of(painted[top:bottom, left:right], ground, text["fade"] * mark + (1 - text["fade"]) * ground)
            ]
            if len(behind) == 0:  # covered, or scrolled out of sight
                continue
            found = float(np.percentile(contrasts(text["colour"], text["fade"], behind), WORST))
            if found < (READ_LARGE if text["isLarge"] else READ):
                usual = tuple(int(part) for part in np.median(behind, axis=0))
                faults.append(f"{text['words'][:30]!r}: {found:.2f}, {text['colour']} on {usual}")
        return sorted(set(faults))


def are_of(painted: NDArray[np.int16], ground: NDArray[np.int16], ink: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which pixels are of letters in this ink: each is a mix of the ink and of what is behind it."""
    way = ink - ground
    share = ((painted - ground) * way).sum(axis=2) / np.maximum((way * way).sum(axis=2), 1)
    astray = np.abs(painted - ground - share[..., None] * way).max(axis=2, initial=0)
    return np.asarray((share > COVERED) & (share < 1.1) & (astray < ASTRAY))


def colour_of(css: str) -> tuple[NDArray[np.float64], float]:
    """Red, green and blue, and the opacity, of a colour as browsers compute it."""
    parts = [float(part) for part in css[css.index("(") + 1 : -1].replace(",", " ").replace("/", " ").split()]
    return np.array(parts[:3]), parts[3] if len(parts) > 3 else 1.0


def contrasts(colour: str, fade: float, behind: NDArray[np.int16]) -> NDArray[np.float64]:
    """Of letters of a colour, and each of the pixels behind them."""
    pure, opacity = colour_of(colour)
    ink = fade * opacity * pure + (1 - fade * opacity) * behind
    one, other = luminance(ink), luminance(behind)
    return np.asarray((np.maximum(one, other) + 0.05) / (np.minimum(one, other) + 0.05))


def luminance(colours: NDArray[Any]) -> NDArray[np.float64]:
    """By WCAG, of rows of red, green and blue."""
    linear = np.asarray(colours, dtype=float) / 255
    linear = np.where(linear <= 0.04045, linear / 12.92, ((linear + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))
