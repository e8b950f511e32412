/** The rulebooks: all of them, or one with its picture. */

import * as api from "../api";
import { h } from "../dom";
import { drawing } from "../drawing";
import { t } from "../language";
import { playButton } from "../lobby/play-button";
import { renderRulebook } from "../markdown";
import type { Page } from "../page";

export async function rules(name: string | null): Promise<Page> {
  const games = await api.games();
  if (name === null) {
    const items = games.map((game) =>
      h(
        "li",
        {},
        h(
          "a",
          { href: `/rules/${game.name}`, class: "shelf-book" },
          drawing(api.picture(game.name)),
          h("span", {}, h("b", {}, game.title), h("small", {}, game.summary)),
        ),
      ),
    );
    const element = h("div", { class: "prose" }, h("h1", {}, t("rulebooks")), h("ul", { class: "shelf" }, ...items));
    return { title: `${t("rulebooks")} · Parlour`, element };
  }
  const [text, shown] = await Promise.all([api.rulebook(name), api.diagrams(name)]);
  const game = games.find((one) => one.name === name);
  const title = game?.title ?? name;
  const example = diagram(api.picture(name), t("examplePosition", { title }));
  const examples = h(
    "section",
    { class: "diagrams", "data-testid": "diagrams", hidden: shown.length === 0 },
    h("h2", {}, t("diagrams")),
    ...shown.map(({ src, caption }) => diagram(src, caption)),
  );
  const links = h(
    "p",
    { class: "row" },
    game && playButton(game),
    game?.lesson && h("a", { href: `/learn/${name}`, class: "button quiet", "data-testid": "learn" }, t("learn")),
    h("a", { href: "/rules", class: "link" }, t("rulebooks")),
  );
  const element = h(
    "article",
    { class: "prose rulebook", "data-testid": "rulebook" },
    example,
    ...renderRulebook(text, (clause) => `#clause-${clause}`),
    examples,
    links,
  );
  return { title: `${title} · Parlour`, element };
}

function diagram(src: string, caption: string): HTMLElement {
  return h("figure", { class: "diagram" }, drawing(src, caption), h("figcaption", { "aria-hidden": "true" }, caption));
}
