"""A table as its log makes it: entries, the fold, clocks, snapshots, the album; and who is there to hear of it.

May import: basics, people.
"""
