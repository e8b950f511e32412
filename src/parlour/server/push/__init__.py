"""Web Push: people who are away are told that it is their turn, if they asked for it, where turns are slow.

messages    what they are told, encrypted for their browser and signed with the server's key
endpoints   where messages may be sent: an address that a browser names is never trusted

May import: basics, tables, store.
"""
