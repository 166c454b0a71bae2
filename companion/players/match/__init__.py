"""Games of cards on the board: the dealer, the progress of a game, and its record."""
