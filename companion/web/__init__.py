"""Web server of the table: its pages show the running game and press the mock buttons."""
