"""The tables in this process's memory, and everything that changes one: commands, bots, clocks, lots, upgrades.

May import: basics, people, tables, store, push, telling, bots, cluster.
"""
