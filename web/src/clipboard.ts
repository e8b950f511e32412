/** Copying a text for people to paste elsewhere. */

import { showDialog } from "./dialog";
import { h } from "./dom";
import { t } from "./language";
import { toast } from "./toast";

/** Copy a text; where the browser forbids that, it is selected in a window for the person to copy. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("copied"));
  } catch {
    const field = h("input", { value: text, readonly: true, class: "wide", "aria-label": t("copy") });
    showDialog(t("copy"), t("close"), field);
    field.select();
  }
}
