"""Backups: created, validated and restored."""
