"""Recorded games on the page: lists, statistics, export and replay."""
