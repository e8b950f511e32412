"""What a position is made of. The engine adds who is to move, how many plies were played, and whether it is over."""

from parlour.engine import Option, i8

MOST = 3  # that can be taken at once

OPTIONS = (Option("pebbles", 21, "Pebbles in the bowl at the beginning", low=4, high=40),)

FIELDS = {
    "left": i8,  # pebbles in the bowl
    "last": i8,  # how many were taken last; 0 at the beginning
}
