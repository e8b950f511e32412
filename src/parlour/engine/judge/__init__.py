"""A judge: a small network that says how likely each seat is to win. It is learnt from the rules alone.

``inputs`` says which features it looks at, ``arithmetic`` is the network itself, ``quick`` the same for
single positions, ``plain`` the same without NumPy, ``curve`` makes its chances come true, ``file`` is how it is kept,
and ``contents`` what is in such a file.
"""
