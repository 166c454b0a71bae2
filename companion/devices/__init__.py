"""Devices: real strips and buttons built from settings, tested and diagnosed."""
