"""Several processes that serve the same tables: whose a table is, connections handed over, signals to wake each other.

May import: people.
"""
