"""Game nights: many tables play, and one organiser collects their results."""
