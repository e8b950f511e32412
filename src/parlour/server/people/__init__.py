"""Who asks: names, tokens, addresses behind a proxy, and how much each may do. Nothing here knows of tables.

May import: basics.
"""
