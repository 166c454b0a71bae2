"""Strategies: discards and plays chosen by the kinds of computer player."""
