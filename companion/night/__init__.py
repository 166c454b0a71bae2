"""Game nights: many tables, one list of results."""
