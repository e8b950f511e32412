"""Pages that need no server: games are played in the browser itself, by the same rules, tables and pictures.

``build`` makes them. What runs in the browser is ``house``, with a ``room`` for each table and a ``visit`` for whoever
looks at one, by way of the ``door``. Its messages are the server's, so that the pages are the same.
"""
