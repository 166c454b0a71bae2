"""Lights and switches: strips, the output stage, buttons. Nothing in it knows a game."""
