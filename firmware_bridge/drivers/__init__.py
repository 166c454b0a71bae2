"""Drivers for strips and buttons of boards (microcontrollers) behind a cable or a network."""
