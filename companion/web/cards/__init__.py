"""Cards on the pages: games of cards, the page of each hand, and the hand counter."""
