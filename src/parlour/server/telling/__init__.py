"""What people are shown of a table: views, choices, pictures, what has changed, and matches that are over.

May import: basics, people, tables, store.
"""
