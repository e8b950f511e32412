"""Bots against bots: matches, tournaments, and who is better."""

from parlour.arena.tournament import Tournament, announce

__all__ = ["Tournament", "announce"]
