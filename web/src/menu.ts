/** Menus that open from a button: they close on Escape, and on a press elsewhere. */

/** Have an element of details close by itself. */
export function closesByItself(menu: HTMLDetailsElement): HTMLDetailsElement {
  let listening = new AbortController();
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    event.stopPropagation(); // it means the menu, and nothing on the board
    menu.open = false;
    menu.querySelector("summary")?.focus();
  };
  const onPress = (event: Event): void => {
    if (!menu.contains(event.target as Node)) menu.open = false;
  };
  const listen = (): void => {
    listening.abort();
    listening = new AbortController();
    const options = { capture: true, signal: listening.signal };
    document.addEventListener("keydown", onKey, options);
    document.addEventListener("pointerdown", onPress, options);
    document.addEventListener("focusin", onPress, options);
  };
  // At once, and not with its event "toggle": the next press may come before that.
  menu.querySelector("summary")?.addEventListener("click", () => menu.open || listen());
  menu.addEventListener("toggle", () => menu.open || listening.abort());
  return menu;
}
