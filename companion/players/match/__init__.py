"""Matches among computer players: deals, observations and results."""
