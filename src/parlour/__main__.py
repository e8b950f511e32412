"""``python -m parlour``: the command line."""

from parlour.cli import main

main()
