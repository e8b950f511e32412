"""What comes in on the wire, within limits: connections, sockets, heads and bodies, before any handler sees it.

May import: basics, people, cluster.
"""
