"""The rules: cards and their counts, one deal, and the game on the board."""
