"""A judge: a small network that says how likely each seat is to win. It is learnt from the rules alone.

``inputs`` says which features it looks at, ``arithmetic`` is the network itself, ``quick`` the same for
single positions, ``curve`` makes its chances come true, ``file`` is how it is kept.
"""

from parlour.engine.judge.arithmetic import WHOLE
from parlour.engine.judge.file import Judge

__all__ = ["WHOLE", "Judge"]
