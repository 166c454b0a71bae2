"""TOML files: read with every fault collected, and written with comments kept."""
