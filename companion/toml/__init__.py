"""TOML files: a reader that collects every fault, checks of values, and values as text."""
