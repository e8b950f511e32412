"""Link previews: what messengers show of a link to a table, a replay or a game, which do not run the page's scripts.

words       title, sentence and picture of a link, as tags in the head of the document
pictures    the board on a card of 1200 by 630, as PNG
render      SVG to PNG: a program of its own

May import: basics, people, store, telling.
"""
