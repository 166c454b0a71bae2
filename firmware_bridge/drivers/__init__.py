"""Drivers for boards behind a cable or a network: strips and buttons."""
