"""Who thinks at the server's tables, in processes of their own, and when.

May import: basics, tables.
"""
