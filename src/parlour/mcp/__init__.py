"""Seats for language models over the Model Context Protocol: ``parlour mcp``. docs/models.md tells how to use it.

    tools     what a model can do, as tools of the official package; each error is one line
    place     where tables are, as the tools see it: seats that are held, whose words are all that a model gets
    here      tables in this process, against bots or other models
    there     tables at a Parlour server, by the Python client

What a seat is told is made of ``match.seen_by(seat)``, or of what a server tells that seat, and of nothing else.
"""
