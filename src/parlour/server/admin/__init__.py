"""What whoever runs a server can do: ``parlour admin`` and the admin API call the same few classes.

operator     all changes, each with a line in the audit log
people     what is stored about a person: to export, to forget
copying    a database into another one: to move, to back up, to restore

May import: basics, people, tables, store.
"""
