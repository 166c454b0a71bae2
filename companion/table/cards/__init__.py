"""Dealt game: computers and people play cards at the table, and their counts are pegged."""
