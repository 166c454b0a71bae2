"""Simulation of many games of computer players, and statistics of a board and its rules."""

from companion.players.simulation.fairness import unfair
from companion.players.simulation.plan import SimulationPlan, cores, play_games
from companion.players.simulation.tally import SimulationTally, json_value, table

__all__ = [
    "SimulationPlan",
    "SimulationTally",
    "cores",
    "json_value",
    "play_games",
    "table",
    "unfair",
]
