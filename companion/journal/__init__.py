"""The journal: every accepted command on disk, its mirror, and the replay of its games."""
