"""Hearts as a picture: a table with four places, the trick in the middle, and below it the hand of whoever looks."""

from __future__ import annotations

from hearts.events import Played, TrickTaken
from hearts.notation import TYPED, speak, triple, typed
from hearts.rules import held_by
from hearts.state import HAND, NOT_YET, PASS, RANKS, SEATS, direction, suit_of
from hearts.terminal import SEAT_NAMES, TO
from parlour.engine import UNKNOWN, Event, State
from parlour.engine.explanation import Explanation
from parlour.engine.kit.cards import HEIGHT, WIDTH, back, face, fan, symbols
from parlour.engine.kit.colours import filled, gradient
from parlour.engine.kit.places import Box, Point, around
from parlour.engine.kit.shapes import placed, text
from parlour.engine.picture import Flash, Mark, Picture, Step, group, number, tag, upright

SIZE, TALL = (1000, 900), (620, 1010)  # TALL is how it stands upright, on a phone
PLACES = Point(500, 78), Point(878, 315), Point(500, 552), Point(122, 315)  # north, east, south, west
TALL_PLACES = Point(310, 78), Point(518, 330), Point(310, 582), Point(102, 330)
TRICK = Point(500, 222), Point(610, 315), Point(500, 408), Point(390, 315)
TALL_TRICK = Point(310, 232), Point(393, 330), Point(310, 428), Point(227, 330)
HAND_AT, HAND_WIDTH, RAISED = Point(500, 775), 960, 34
TALL_HAND, TALL_WIDTH, IN_ROW = (Point(310, 765), Point(310, 895)), 600, 7
COLOURS = "#e0b23c", "#5aa9e6", "#7cc576", "#e57a9a"
INK, PALE = "#14281d", "#e9f3ea"


def backdrop(state: State) -> str:
    felt = gradient("hearts-felt", "#2f8a5b", "#1d5f3f", r=0.75, cx=0.5, cy=0.45)
    wood = gradient("hearts-wood", "#7a4b2a", "#5a3419")
    whole, table, tall = Box(0, 0, *SIZE), around((500, 315), 980, 610), around((310, 330), 600, 640)
    return "".join(
        (
            tag("defs", felt, wood),
            symbols("hearts"),
            whole.drawn(rx=24, fill="#173a2a", data_upright=upright(width=TALL[0], height=TALL[1])),
            table.drawn(rx=150, fill=filled("hearts-wood"), data_upright=upright(**tall._asdict())),
            table.inset(16).drawn(rx=136, fill=filled("hearts-felt"), data_upright=upright(**tall.inset(16)._asdict())),
            table.inset(30).drawn(
                rx=122,
                fill="none",
                stroke="#e9f3ea",
                stroke_width=1.5,
                opacity=0.25,
                data_upright=upright(**tall.inset(30)._asdict()),
            ),
        )
    )


def moved(at: Point, more: str = "") -> str:
    return f"translate({number(at.x)} {number(at.y)}){more}"


def scene(state: State) -> list[str]:
    drawn = [heading(state)]
    for seat in range(SEATS):
        drawn += [place(state, seat), played(state, seat)]
    return drawn + hand(state, looker(state))


def looker(state: State) -> int:
    """Whose hand is shown: whoever is to move, if all of their cards are known, or else the first seat whose are."""
    for step in range(SEATS):
        seat = int((state.to_move + step) % SEATS)
        if held_by(state, seat) and len(held_by(state, seat)) == cards_left(state, seat):
            return seat
    return UNKNOWN


def cards_left(state: State, seat: int) -> int:
    left: int = HAND - state.tricks - int(state.trick[seat] > 0)
    return left


def heading(state: State) -> str:
    """In the middle of the table: what is going on."""
    if state.over:
        return group([])
    if state.is_passing:
        lines = speak("three cards are passed"), speak(TO[direction(state)])
        return group(line(words, 500, 300 + 30 * row, 310, 315 + 30 * row, 25) for row, words in enumerate(lines))
    told = speak("hearts are broken") if state.is_broken else speak("hearts are not broken")
    words = speak("Deal {deal}, trick {trick} of 13", deal=state.deal + 1, trick=min(state.tricks + 1, HAND))
    return group([line(words, 185, 65, 310, 150, 17), line(told, 815, 65, 310, 500, 17)])


def line(words: str, x: float, y: float, tall_x: float, tall_y: float, size: float) -> str:
    return text(words, x, y, size, PALE, opacity=0.8, data_upright=upright(x=tall_x, y=tall_y, font_size=17))


def place(state: State, seat: int) -> str:
    """A seat's place: its cards from behind, its name, and its points."""
    is_asked = not state.over and seat == state.to_move
    plate = around((0, 0), 168, 62)
    points = f"{state.total[seat]}" + (f" +{state.taken[seat]}" if state.taken[seat] else "")
    drawn = [
        *backs(state, seat),
        plate.drawn(
            rx=14, fill=COLOURS[seat], stroke="#ffffff" if is_asked else INK, stroke_width=4 if is_asked else 1.5
        ),
        text(speak(SEAT_NAMES[seat]), 0, -13, 22, INK),
        text(points, 0, 14, 22, INK),
    ]
    if state.won_tricks[seat]:
        drawn.append(tricks(state.won_tricks[seat]))
    tall = upright(transform=moved(TALL_PLACES[seat]))
    return group(drawn, transform=moved(PLACES[seat]), data_upright=tall, data_what=f"place-{seat}")


def backs(state: State, seat: int) -> list[str]:
    """The seat's hand as the others see it, behind its name."""
    count = cards_left(state, seat) if not state.over else 0
    turned = (0, 90, 180, -90)[seat]
    cards = [
        tag("g", back("hearts"), transform=f"translate({number(x)} {number(y - 34)}) rotate({number(angle)})")
        for x, y, angle in fan(count, 330, most=22, bow=1.2)
    ]
    return [group(cards, transform=f"rotate({turned}) scale(.62)")] if cards else []


def tricks(count: int) -> str:
    """How many tricks the seat has taken: a small pile, and the number."""
    return placed(62, 0, placed(0, 0, back("hearts"), scale=0.24), text(count, 0, 1, 17, "#ffffff"))


def played(state: State, seat: int) -> str:
    """The card that the seat has played to the trick, or the three that it passes on."""
    spot = around((0, 0), WIDTH * 0.95, HEIGHT * 0.95)
    drawn = [spot.drawn(fill="transparent", data_spot=f"trick-{seat}", aria_label=speak(SEAT_NAMES[seat]))]
    if state.trick[seat]:
        card = state.trick[seat] - 1
        drawn.insert(0, group([face("hearts", suit_of(card), card % RANKS)], transform="scale(.95)"))
    elif state.choice[seat] != NOT_YET:
        cards = triple(state, seat, state.choice[seat] - 1) if state.choice[seat] > 0 else [UNKNOWN] * 3
        drawn = [
            tag("g", shown(card), transform=f"translate({number(x)} 0) rotate({number(3 * angle)}) scale(.62)")
            for card, (x, _, angle) in zip(cards, fan(3, 160, most=30, bow=4), strict=True)
        ] + drawn
    return group(drawn, transform=moved(TRICK[seat]), data_upright=upright(transform=moved(TALL_TRICK[seat])))


def shown(card: int) -> str:
    return back("hearts") if card == UNKNOWN else face("hearts", suit_of(card), card % RANKS)


def hand(state: State, seat: int) -> list[str]:
    """The hand, fanned out: each card a spot. Those that are passed on are raised."""
    if seat == UNKNOWN:
        return []
    cards = held_by(state, seat)
    raised = triple(state, seat, state.choice[seat] - 1) if state.choice[seat] > 0 else []
    rows = [cards[:IN_ROW], cards[IN_ROW:]] if len(cards) > IN_ROW else [[], cards]
    tall = [
        (at.x + x, at.y + y, angle)
        for at, row in zip(TALL_HAND, rows, strict=True)
        for x, y, angle in fan(len(row), TALL_WIDTH, most=78, bow=1)
    ]
    wide = [(HAND_AT.x + x, HAND_AT.y + y, angle) for x, y, angle in fan(len(cards), HAND_WIDTH, most=68, bow=1)]
    return [
        in_hand(card, seat, where, up, RAISED if card in raised else 0)
        for card, where, up in zip(cards, wide, tall, strict=True)
    ]


Lying = tuple[float, float, float]  # x, y, and how far it is turned


def in_hand(card: int, seat: int, wide: Lying, tall: Lying, raised: float) -> str:
    """A card of the hand, as something to pick."""
    spot = around((0, 0), WIDTH, HEIGHT).spot(typed(card), typed(card), rx=9, data_owner=seat)
    lying, standing = (
        moved(Point(x, y - raised), f" rotate({number(angle)}) scale(1.25)") for x, y, angle in (wide, tall)
    )
    drawn = face("hearts", suit_of(card), card % RANKS), spot
    return group(drawn, id=f"hearts-{typed(card)}", transform=lying, data_upright=upright(transform=standing))


def picks(state: State, action: int) -> tuple[str, ...]:
    cards = [action] if action < PASS else triple(state, state.to_move, action - PASS)
    return tuple(typed(card) for card in cards if card != UNKNOWN)


def motion(event: Event) -> list[Step]:
    """A card that is played, and a trick that is taken, are pointed out."""
    if isinstance(event, Played | TrickTaken):
        return [Flash((f"trick-{event.seat}",))]
    return []


def explain(state: State, name: str) -> Explanation | None:
    if name in TYPED:
        return Explanation(speak("A card of this hand. The ace is the highest of its suit."), 9)
    kind, _, seat = name.partition("-")
    if kind == "trick":
        return Explanation(speak("What {seat} has played to this trick.", seat=speak(SEAT_NAMES[int(seat)])), 9)
    if kind == "place":
        return Explanation(
            speak(
                "The points of {seat}: those of the deals before, and with a plus those of this deal.",
                seat=speak(SEAT_NAMES[int(seat)]),
            ),
            10,
        )
    return None


def mark(seat: int, seats: int) -> Mark:
    return Mark(speak(SEAT_NAMES[seat])[0], COLOURS[seat], INK)


PICTURE = Picture(
    size=SIZE, backdrop=backdrop, scene=scene, picks=picks, motion=motion, explain=explain, mark=mark, upright=TALL
)
