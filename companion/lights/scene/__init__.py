"""The scene: layers of light for one view of the game at one time."""
