"""A kit for pictures: what the drawings of several games are put together from. Every function returns SVG as text.

``shapes``   lines, circles, boxes, text that fits its room, and how a drawing is put in its place
``colours``  gradients, and how a shape refers to one
``cards``    playing cards: faces, backs, and how a hand is fanned out
``places``   boxes: where something lies, what is drawn there, and what can be picked there
``boards``   squares and hexagons: where each field lies, how the board looks, and how a field is picked
``tokens``   tokens, pawns, meeples and cubes, each seat with a colour and a sign
``tracks``   points along a line or a spiral, counters, and a row of open cards
``dice``     dice with pips
``art``      drawings that are kept in an SVG file

    from parlour.engine.kit.places import Box
    from parlour.engine.kit.shapes import circle, placed, text

    token = placed(120, 80, circle(0, 0, 30, "#c62f2b"), text("A", 0, 1, 33, "#fff"))

docs/kit.md shows them. ``parlour.engine.picture`` says what a picture has to do, and has ``tag`` for all that is not
here.
"""
