"""The tests; their folders are packages without a file that says so."""
