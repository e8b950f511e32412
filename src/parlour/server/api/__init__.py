"""What can be asked of the server: one module for tables, one for games and replays, one for live play.

May import: basics, people, tables, store, push, telling, previews, rooms, admin, running, http.
"""
