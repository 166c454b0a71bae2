"""Colour: linear light, and palettes whose colours can be told apart."""
