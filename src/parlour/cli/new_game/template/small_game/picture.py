"""The board as a picture. What has a ``data_spot`` can be clicked; ``picks`` says which spot stands for an action."""

from parlour.cli.new_game.template.small_game.events import Took
from parlour.engine import Event, State
from parlour.engine.picture import Fly, Picture, Step, label, tag

WIDTH, HEIGHT = 640, 420
ACROSS = 10  # pebbles in a row


def place(number: int) -> tuple[int, int]:
    """Where a pebble lies, counted from 0."""
    return 50 + 60 * (number % ACROSS), 70 + 60 * (number // ACROSS)


def backdrop(state: State) -> str:
    """What never changes during a match."""
    return tag("rect", width=WIDTH, height=HEIGHT, rx=30, fill="#e9dcc3")


def pebble(number: int) -> str:
    x, y = place(number)
    return tag("circle", cx=x, cy=y, r=24, fill="#5d6b7a", stroke="#2c343c", stroke_width=4, id=f"small_game-{number}")


def spot(number: int) -> str:
    """A button under the pebbles that takes so many of them."""
    x = 20 + 210 * (number - 1)
    box = tag("rect", x=x, y=320, width=180, height=70, rx=16, fill="#fffaf0", stroke="#2c343c", stroke_width=3)
    return tag("g", box, label(f"Take {number}", x=x + 90, y=356, font_size=30), data_spot=number, aria_label=number)


def scene(state: State) -> list[str]:
    """What changes. A pebble keeps its ``id``, so that it can be seen moving."""
    return [pebble(number) for number in range(state.left)] + [spot(number) for number in (1, 2, 3)]


def picks(state: State, action: int) -> tuple[str, ...]:
    return (str(action + 1),)


def motion(event: Event) -> list[Step]:
    """A pebble flies to whoever takes it."""
    return [Fly("small_game-0", f"seat-{event.seat}")] if isinstance(event, Took) else []


PICTURE = Picture(size=(WIDTH, HEIGHT), backdrop=backdrop, scene=scene, picks=picks, motion=motion)
