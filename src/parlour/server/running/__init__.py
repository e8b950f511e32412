"""The parts of one process, put together, begun, looked after and ended.

May import: basics, people, tables, store, telling, previews, bots, cluster, rooms, admin.
"""
