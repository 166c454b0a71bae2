"""Values of hands, pegging plays and positions: tables, rollouts and win probability."""
