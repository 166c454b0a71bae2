"""Recorded games: the journal, matches and statistics, export, backup and restore."""
