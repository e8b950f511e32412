"""The conformance suite: what must be true of every game, foreign ones included. ``parlour check GAME`` runs it.

Most checks play random matches: with the fewest, the usual and the most seats, and with every option's extremes. A
failure is one line: the rule and its clause, the file, the cause, and the match where it shows.

    suite        which checks there are, and how they are run one after the other
    matches      ways to play, and random matches
    watched      states that notice a number or an index that does not fit
    blame        whose fault an error is, in one line
    parts, rules, observations, narrow, telling, pictures, bots, compiled      the checks themselves
"""

from parlour.engine.check.blame import Failed, Finding
from parlour.engine.check.matches import choose, play_random, settings
from parlour.engine.check.suite import CHECKS, CheckResult, find, run

__all__ = ["CHECKS", "CheckResult", "Failed", "Finding", "choose", "find", "play_random", "run", "settings"]
