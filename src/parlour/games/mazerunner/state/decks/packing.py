"""Several small numbers in one, so that a rule reads a card's line of a table with one look."""

BITS = 6  # a number on a card is below 64


def pack(*numbers: int) -> int:
    return sum(number << BITS * place for place, number in enumerate(numbers))
