"""What people read of recorded games: lists, matches, statistics and counts."""
