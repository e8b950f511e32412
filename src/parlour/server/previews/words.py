"""What a link leads to, in a title and a sentence, as tags that messengers read."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from urllib.parse import quote

from parlour.engine import registry
from parlour.engine.errors import ParlourError
from parlour.engine.language import LANGUAGES, current, speaking
from parlour.protocol import TableLine
from parlour.server.basics.errors import StoreFailed
from parlour.server.people.tokens import is_id
from parlour.server.previews import pictures
from parlour.server.store import Store

NAMED = 4  # people
ICON = "icons/icon-512.png"
WORDS = {
    "en": {
        "open": "Sit down and play.",
        "playing": "{names} play. Watch them.",
        "over": "{names} played. Watch the replay.",
        "bots": "Watch the match.",
        "private": "A private table. Come in.",
        "learn": "Learn {title}",
        "home": "{games}: play with friends, or against bots. Nothing to install.",
        "and": " and ",
        "more": "others",
    },
    "de": {
        "open": "Setz dich und spiel mit.",
        "playing": "{names} spielen. Schau zu.",
        "over": "{names} haben gespielt. Sieh dir die Partie an.",
        "bots": "Sieh dir die Partie an.",
        "private": "Ein privater Tisch. Komm herein.",
        "learn": "{title} lernen",
        "home": "{games}: spiel mit Freunden oder gegen Bots, ohne etwas zu installieren.",
        "and": " und ",
        "more": "andere",
    },
}


@dataclass(frozen=True)
class Preview:
    """What is shown of a link."""

    title: str
    text: str
    picture: str  # its path below the pages


def language_of(accepted: str) -> str:
    """The language of whoever asks, by the header ``Accept-Language``."""
    wanted = re.findall(r"(?:^|,)\s*([a-z]{2})", accepted.lower())
    return next((tag for tag in wanted if tag in LANGUAGES), "en")


async def of_page(store: Store, path: str, language: str, ply: str = "") -> Preview | None:
    """What is shown of a page; None: it is none of a table, a replay or a game, nor where all begins."""
    _, page, name, *_ = [*path.split("/"), "", ""]
    if page in ("", "tables"):
        with speaking(language):
            return of_home()
    if page in ("table", "replay") and is_id(name):
        try:
            found = await store.ask(store.lists.listed, name)
        except StoreFailed:
            return None
        with speaking(language):
            return None if found is None else of_table(*found, ply=ply if page == "replay" else "")
    if page in ("rules", "learn") and name:
        with speaking(language):
            return of_game(name, is_lesson=page == "learn")
    return None


def of_home() -> Preview:
    titles = [game.said(game.title) for game in map(registry.get, registry.names())]
    return Preview("Parlour", WORDS[current()]["home"].format(games=", ".join(titles)), ICON)


def of_game(name: str, *, is_lesson: bool = False) -> Preview | None:
    try:
        game = registry.get(name)
    except ParlourError:
        return None
    title = game.said(game.title)
    if is_lesson:
        title = WORDS[current()]["learn"].format(title=title)
    return Preview(title, game.said(game.summary), f"api/games/{quote(name)}/preview.png?language={current()}")


def of_table(line: TableLine, is_public: bool, *, ply: str = "") -> Preview:
    """A private table is not told of more than its game: a link may be seen by others than those it is meant for."""
    try:
        game = registry.get(line.game)
        title = game.said(game.title)
    except ParlourError:
        title = line.title
    query = f"language={current()}&changed={line.changed:.0f}"
    if ply.isdecimal() and len(ply) < 10:
        query += f"&ply={ply}"
    return Preview(title, sentence(line, is_public=is_public), f"api/tables/{line.id}/preview.png?{query}")


def sentence(line: TableLine, *, is_public: bool) -> str:
    words = WORDS[current()]
    if not is_public:
        return words["private"]
    if line.phase == "open":
        return words["open"]
    people = [name for name in line.names if "(" not in name] if line.people else []  # a bot's name has brackets
    return words[line.phase].format(names=_joined(people)) if people else words["bots"]


def _joined(people: list[str]) -> str:
    words = WORDS[current()]
    shown = people if len(people) <= NAMED else [*people[: NAMED - 1], words["more"]]
    return words["and"].join(filter(None, [", ".join(shown[:-1]), *shown[-1:]]))


def tags(preview: Preview, site: str, path: str) -> str:
    """The tags for the head of the document. ``site`` is where the pages are, with a slash at its end."""
    is_drawn = pictures.is_installed() and preview.picture != ICON
    about = {
        "og:type": "website",
        "og:site_name": "Parlour",
        "og:title": preview.title,
        "og:description": preview.text,
        "og:url": site + path.lstrip("/"),
        "twitter:card": "summary_large_image" if is_drawn else "summary",
    }
    if is_drawn:
        about |= {
            "og:image": site + preview.picture,
            "og:image:type": "image/png",
            "og:image:width": str(pictures.WIDTH),
            "og:image:height": str(pictures.HEIGHT),
            "og:image:alt": preview.title,
        }
    else:
        about["og:image"] = f"{site}{ICON}"
    return "".join(
        f'<meta {"name" if name.startswith("twitter:") else "property"}="{name}" content="{html.escape(value)}" />'
        for name, value in about.items()
    )
