"""What is drawn once and then used by name: monsters, items, cards, hearts and resources."""
