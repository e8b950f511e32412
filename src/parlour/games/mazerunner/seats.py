"""The seats: the names of the runners, and their letters and colours."""

NAMES = ("Red", "Blue", "Green", "Yellow")
LETTERS = tuple(name[0] for name in NAMES)

TERMINAL_COLOURS = ("bright_red", "dodger_blue1", "green3", "yellow1")

# In the picture, by seat: a runner, and the letter on it.
COLOURS = ("#e5484d", "#3e8bf0", "#35ad5c", "#f2c230")
INKS = ("#ffffff", "#ffffff", "#ffffff", "#3b2a1c")
BADGE_INK = "#10141f"  # dark, for a badge is smaller than a runner: white is too faint on these colours
