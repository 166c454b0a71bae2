"""The kit: what one prints, cuts, solders and buys for a board, made from the board's file."""
