"""Pairing: the people at the table let phones in."""
