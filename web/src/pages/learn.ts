/** The way to a lesson: of one game, or the games that have one. */

import * as api from "../api";
import { h } from "../dom";
import { drawing } from "../drawing";
import { t } from "../language";
import type { Page } from "../page";
import { notFound } from "./error";

export async function learnPage(name: string | null): Promise<Page> {
  const games = (await api.games()).filter((game) => game.lesson);
  const game = games.find((one) => one.name === name);
  if (game) return (await import("../learn/lesson")).learn(game);
  if (name !== null) return notFound();
  const items = games.map((one) =>
    h(
      "li",
      {},
      h(
        "a",
        { href: `/learn/${one.name}`, class: "shelf-book" },
        drawing(api.picture(one.name)),
        h("span", {}, h("b", {}, one.title), h("small", {}, one.summary)),
      ),
    ),
  );
  const element = h("div", { class: "prose" }, h("h1", {}, t("learn")), h("ul", { class: "shelf" }, ...items));
  return { title: `${t("learn")} · Parlour`, element };
}
