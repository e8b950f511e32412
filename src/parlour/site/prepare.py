"""Makes ready what a browser loads, inside Pyodide: compiled modules, and the answers that are always the same."""

from __future__ import annotations

import compileall
import json
import sys
import zipfile
from pathlib import Path
from py_compile import PycInvalidationMode

from parlour.engine import registry
from parlour.engine.language import LANGUAGES
from parlour.site.house import House
from parlour.site.keeping import InMemory

ENDINGS = {"application/json": "json", "image/svg+xml": "svg", "text/markdown": "md"}
DATE = (2020, 1, 1, 0, 0, 0)  # of all files in an archive, so that the same sources give the same one


async def prepare(sources: str, target: str) -> None:
    """Write into ``target``: engine.zip, answers.json with the files that it names, and games.json.

    The last says which games there are, and why others cannot be loaded.
    """
    out = Path(target)
    bad = registry.bad_games()
    good = []
    for game in registry.all_games():
        if game.may_act is not None:
            bad[game.name] = "several choose at the same time in it"
        else:
            good.append(game)
    told = {"games": [game.name for game in good], "bad": bad}
    (out / "games.json").write_text(json.dumps(told), "utf-8")
    answers = dict[str, str]()
    for number, address in enumerate(await _addresses([game.name for game in good])):
        answer = await House(InMemory()).ask("GET", address)
        if answer.status != 200:
            raise RuntimeError(f"{address}: {answer.text}")
        answers[address] = f"{number}.{ENDINGS[answer.kind]}"
        (out / answers[address]).write_text(answer.text, "utf-8")
    (out / "answers.json").write_text(json.dumps(answers, indent=0), "utf-8")
    _pack(Path(sources), out / "engine.zip")


async def _addresses(games: list[str]) -> list[str]:
    """What is asked for before any game begins, in every language."""
    found = []
    for language in LANGUAGES:
        found.append(f"/api/games?language={language}")
        for game in games:
            answer = await House(InMemory()).ask("GET", f"/api/games/{game}/diagrams?language={language}")
            parts = ["picture", "rulebook", "diagrams"]
            parts += [f"diagrams/{number}" for number in range(len(json.loads(answer.text)))]
            found += [f"/api/games/{game}/{part}?language={language}" for part in parts]
    return found


def _pack(sources: Path, archive: Path) -> None:
    """All modules, compiled. The sources of games stay: what rules say is part of every match."""
    compileall.compile_dir(sources, quiet=2, legacy=True, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
    ours = [sources / name for name in ("parlour", "msgspec", "rich") if (sources / name).is_dir()]
    built_in = sources / "parlour" / "games"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for file in sorted(path for path in sources.rglob("*") if path.is_file()):
            is_ours = any(folder in file.parents for folder in ours) and built_in not in file.parents
            if "__pycache__" in file.parts or (file.suffix == ".py" and is_ours):
                continue
            name = str(file.relative_to(sources))
            if file.suffix == ".pyc" and not is_ours:  # beside its source, Python looks for it elsewhere
                name = str(Path(name).parent / "__pycache__" / f"{file.stem}.{sys.implementation.cache_tag}.pyc")
            packed.writestr(zipfile.ZipInfo(name, DATE), file.read_bytes(), zipfile.ZIP_DEFLATED, 9)
