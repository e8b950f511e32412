"""``parlour bench``."""


def bench(*, as_json: bool) -> int:
    return 0
