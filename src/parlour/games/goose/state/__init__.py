"""The position of a Game of the Goose."""

from parlour.engine import i8, i32

MAX_SEATS = 4

FIELDS = {
    "position": i8[MAX_SEATS],  # the space of each piece: 0 is the start, 63 the end
    "resting": i8[MAX_SEATS],  # turns that the seat must still miss at the hotel
    "trapped_since": i32[MAX_SEATS],  # 0: free; else the turn in which it fell into the well or the prison, plus 1
    "balance": i32[MAX_SEATS],  # what each seat has won, less what it has paid
    "pool": i32,  # stakes that nobody has won yet
}
