"""Diagrams for rulebooks: positions of matches played at random. What may be done there is marked by the rules."""

from __future__ import annotations

import re
from dataclasses import dataclass

from parlour.engine.chance import POLICY_STREAM, Chance
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.picture import number, tag, whole

SPOT = re.compile(r'<(?P<name>\w+)(?P<rest>[^>]*\sdata-spot="(?P<spot>[^"]*)"[^>]*)/>')
SHAPE = re.compile(r'\s((?:x|y|cx|cy|r|rx|ry|d|points|width|height|transform)="[^"]*")')
GOLD, PICKED = "#ffd35c", "#ff8a3c"
ANY = "*"


@dataclass(frozen=True, slots=True)
class Diagram:
    """The position after ``ply`` actions, and where what is on the spot ``pick`` may go.

    ``ANY`` marks all spots that are a choice of their own.
    """

    caption: str
    seats: int
    seed: int
    ply: int
    pick: str = ""


def played(game: Game, seats: int, seed: int, plies: int) -> Match:
    """A match of that many random actions, or fewer if it ends before."""
    match, policy = Match(game, seats, seed), Chance.of_game(seed, 0, POLICY_STREAM)
    while not match.over and len(match.plies) < plies:
        legal = match.legal()
        match.play(legal[policy.below(len(legal))])
    return match


def targets(match: Match, pick: str) -> set[str]:
    """The spots that a legal action leads to from this one."""
    chosen = [choice.picks for choice in match.seen_by(match.to_move).choices]
    if pick == ANY:
        return {picks[0] for picks in chosen if len(picks) == 1}
    return {picks[-1] for picks in chosen if len(picks) > 1 and picks[0] == pick}


def draw(game: Game, diagram: Diagram) -> str:
    """The diagram as SVG."""
    match = played(game, diagram.seats, diagram.seed, diagram.ply)
    seen = match.seen_by(None)
    size, ground = seen.backdrop
    marks = dict.fromkeys(targets(match, diagram.pick), GOLD) | {diagram.pick: PICKED}
    scene = marked(seen.scene, marks, size[0] / 160)
    return whole(size, game.said(diagram.caption), ground, scene)


def marked(scene: str, marks: dict[str, str], width: float) -> str:
    """The scene with frames in these colours around spots."""

    def framed(found: re.Match[str]) -> str:
        colour = marks.get(found["spot"])
        if colour is None:
            return found[0]
        shape = "".join(f" {attribute}" for attribute in SHAPE.findall(found["rest"]))
        look = tag("g", fill=colour, fill_opacity=0.3, stroke=colour, stroke_width=number(width))
        return f"{found[0]}{look.removesuffix('/>')}><{found['name']}{shape}/></g>"

    return SPOT.sub(framed, scene)
