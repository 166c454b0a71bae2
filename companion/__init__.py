"""The table companion: rules, track, light and table; nothing in it knows a pin or a port."""
