"""Backups of a table: their files and folders, and restore."""
