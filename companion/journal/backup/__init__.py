"""Backups: made, numbered, kept, checked and restored."""
