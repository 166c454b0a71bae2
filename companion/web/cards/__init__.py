"""Cards on the page: dealt hands, each person's own, and the hand counter."""
