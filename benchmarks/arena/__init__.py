"""How well the arena keeps its word: at full length here, in short in the tests."""
