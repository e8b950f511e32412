"""Training a judge from the rules alone: it plays against itself, and learns from what became of each position.

``self_play`` plays, ``network`` learns, ``trainer`` does both in turns; ``checkpoint`` keeps how far it is.
"""
