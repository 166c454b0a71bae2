"""LED strips, the output stage and buttons, independent of any game."""
