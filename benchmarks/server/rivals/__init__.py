"""The server beside others that do what it does: ``python -m benchmarks.server.rivals``."""
