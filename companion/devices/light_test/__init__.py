"""The light test: patterns shown on a strip."""
