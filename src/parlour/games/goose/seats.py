"""The seats: their names, and the letters and colours of their geese."""

NAMES = ("Red", "Blue", "Green", "Yellow")
LETTERS = tuple(name[0] for name in NAMES)

# In the picture, by seat: the feathers from light to dark, the line around them, and the letter on them.
FEATHERS = (("#f27a68", "#c62f2b"), ("#66a5f2", "#2358b5"), ("#5cc480", "#1c7a44"), ("#ffe48a", "#efac1c"))
OUTLINES = ("#74120f", "#102c66", "#0b3f22", "#7d5105")
INKS = ("#fff6df", "#fff6df", "#fff6df", "#4a2f06")
