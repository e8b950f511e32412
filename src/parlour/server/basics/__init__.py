"""What every part of the server uses: settings, errors, logs, metrics, time, work in the background.

May import: nothing else of the server.
"""
