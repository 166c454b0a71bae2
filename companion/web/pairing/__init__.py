"""Pairing: phones let in with the consent of the people at the table."""
