"""SVG on standard input, PNG on standard output after a line with the seconds that it took; fonts are its arguments.

It is a program of its own: while the library draws, no other thread of the same Python runs.
"""

import sys
import time

import resvg_py

FAMILY = "Nunito Sans"
LATIN, PUNCTUATION = range(0x250), range(0x2000, 0x2220)  # what the fonts that come along have letters for


def main(fonts: list[str]) -> None:
    svg = sys.stdin.buffer.read().decode("utf-8")
    png = resvg_py.svg_to_bytes(
        svg_string=svg,
        skip_system_fonts=all(ord(letter) in LATIN or ord(letter) in PUNCTUATION for letter in svg),
        font_files=fonts,
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )
    sys.stdout.buffer.write(f"{time.process_time():.3f}\n".encode() + png)


if __name__ == "__main__":
    main(sys.argv[1:])
