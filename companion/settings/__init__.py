"""Settings: loaded, checked, described for the page, and changed in their file."""
