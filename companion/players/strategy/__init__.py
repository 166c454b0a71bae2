"""Strategies of the kinds of computer player: the choice of discards and plays."""
