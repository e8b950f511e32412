/** The rulebooks: all of them, or one with its picture. */

import * as api from "../api";
import type { Page } from "../app";
import { h } from "../dom";
import { t } from "../language";
import { render } from "../markdown";
import { playNow } from "./opening";

export async function rules(name: string | null): Promise<Page> {
  const games = await api.games();
  if (name === null) {
    const items = games.map((game) =>
      h("li", {}, h("a", { href: `/rules/${game.name}`, class: "shelf-book" },
        h("img", { src: api.picture(game.name), alt: "", width: 120, height: 140, loading: "lazy" }),
        h("span", {}, h("b", {}, game.title), h("small", {}, game.summary)))),
    );
    const element = h("div", { class: "prose" }, h("h1", {}, t("rulebooks")), h("ul", { class: "shelf" }, ...items));
    return { title: `${t("rulebooks")} · Parlour`, element };
  }
  const text = await api.rulebook(name);
  const game = games.find((one) => one.name === name);
  const title = game?.title ?? name;
  const diagram = h("figure", { class: "diagram" },
    h("img", { src: api.picture(name), alt: t("examplePosition", { title }) }),
    h("figcaption", {}, t("examplePosition", { title })));
  const play = (event: Event): void => void (game && playNow(game, event.currentTarget as HTMLButtonElement));
  const links = h("p", { class: "row" },
    h("button", { type: "button", class: "brass", "data-testid": "play-now", onclick: play }, t("playNow")),
    h("a", { href: "/rules", class: "link" }, t("rulebooks")));
  const element = h("article", { class: "prose rulebook", "data-testid": "rulebook" }, diagram, ...render(text), links);
  return { title: `${title} · Parlour`, element };
}
