"""Colour: linear light, palettes and their distinguishability."""
