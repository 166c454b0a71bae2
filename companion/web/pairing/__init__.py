"""Pairing: phones let in by a code and a press at the table."""
