"""Reading a model's answer: strictly as it was asked for, or forgivingly, where it is clear which choice is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from parlour.engine.bots import Decision
from parlour.engine.errors import BadNotation
from parlour.engine.foreign_json import read_json
from parlour.engine.printable import one_line

STRICT = re.compile(r"ACTION: (\S.*)")
MARKED = re.compile(r"^[\s>*_`#-]*(?:final |my )?(?:action|choice|move)[*_`]*\s*[:=]\s*(.+)$", re.I)
OBJECT = re.compile(r"\{[^{}]*\}")
DECORATION = " \t*_`'\"#>"
LONGEST_SAID = 200  # characters of an answer that may be a choice
LONGEST_LOOKED_AT = 20_000  # characters, from the end: whatever comes before is thought
NO_MARK = "there is no line that says ACTION: and one of your choices"


@dataclass(frozen=True)
class Answer:
    """What was understood: an action, or why there is none."""

    action: int | None = None
    said: str = ""
    is_strict: bool = False
    problem: str = ""


class Reader:
    """Reads the answers to one question."""

    def __init__(self, decision: Decision) -> None:
        self.decision = decision

    def read(self, text: str) -> Answer:
        """What the model has chosen. What it marks as its choice is taken at its word; else its words are searched."""
        lines = [line for line in text[-LONGEST_LOOKED_AT:].splitlines() if line.strip()]
        if lines and (exact := STRICT.fullmatch(lines[-1].rstrip())):
            action, problem = self._choice(exact[1])
            return Answer(action, _shown(exact[1]), action is not None, problem)
        said = _marked(lines)
        if said is not None:
            action, problem = self._choice(said)
            return Answer(action, _shown(said), problem=problem)
        for guess in _guesses(lines):
            action, _ = self._choice(guess)
            if action is not None:
                return Answer(action, _shown(guess))
        if (mentioned := self._mentioned(" ".join(lines))) is not None:
            return Answer(mentioned, self.decision.text(mentioned))
        return Answer(said=_shown(lines[-1]) if lines else "", problem=NO_MARK)

    @cached_property
    def _labels(self) -> Mapping[str, int]:
        notation, state = self.decision.game.words.notation, self.decision.state
        told = {_plain(notation.describe(state, action)): action for action in self.decision.legal}
        return {label: action for label, action in told.items() if label}

    def _choice(self, said: str) -> tuple[int | None, str]:
        """The action that was named, in notation or in words; else why it is none."""
        if len(said) > LONGEST_SAID:
            return None, f"{_shown(said)!r} is no choice: it is too long"
        problem = ""
        for form in dict.fromkeys(_forms(said)):
            if _plain(form) in self._labels:
                return self._labels[_plain(form)], ""
            try:
                action = self.decision.game.words.read(self.decision.state, form)
            except BadNotation as error:
                problem = problem or one_line(str(error), 2 * LONGEST_SAID)
            else:
                if action in self.decision.legal:
                    return action, ""
        return None, problem or NO_MARK

    def _mentioned(self, text: str) -> int | None:
        """The only choice that is mentioned anywhere, unless it is so short that this says nothing."""
        words = {_plain(word.strip(".,;:!?()[]" + DECORATION)) for word in text.split()}
        found = set()
        for action in self.decision.legal:
            written = _plain(self.decision.text(action))
            if written in words and len(written) > 1 and not written.isdigit():
                found.add(action)
        return found.pop() if len(found) == 1 else None


def _forms(said: str) -> Iterator[str]:
    """What was said, then without decoration, then without the words after it."""
    yield said.strip()
    bare = said.strip(DECORATION).rstrip(".!")
    yield bare
    yield bare.strip(DECORATION)
    yield re.split(r"\s*[:(–—]|\s+-\s", bare, maxsplit=1)[0].strip(DECORATION)


def _marked(lines: list[str]) -> str | None:
    """What the model itself calls its choice, the last time that it does; in a line or in JSON."""
    for line in reversed(lines):
        if found := MARKED.match(line[: 4 * LONGEST_SAID]):
            return found[1]
    for found in reversed(OBJECT.findall("\n".join(lines))):
        try:
            content = read_json(found)
        except ValueError:
            continue
        said = next((content[key] for key in ("action", "choice", "move") if key in content), None)
        if isinstance(said, str | int) and not isinstance(said, bool):
            return str(said)
    return None


def _guesses(lines: list[str]) -> Iterator[str]:
    """Lines that may be nothing but a choice: the last, then the first."""
    if lines:
        yield lines[-1]
        yield lines[0]


def _plain(text: str) -> str:
    return "".join(text.split()).casefold()


def _shown(text: str) -> str:
    return one_line(text, LONGEST_SAID)
