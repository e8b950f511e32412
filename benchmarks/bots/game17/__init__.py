"""How strong the bots of game17 are, in compiled matches: docs/game17.md has what came of them."""
