"""Connection to a board: its port, discovery, reconnection and shared use."""
