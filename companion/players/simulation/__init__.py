"""Simulation of many games of computer players, and statistics of a board and its rules."""

from companion.players.simulation.fairness import unfair
from companion.players.simulation.parallel import cores, play_games
from companion.players.simulation.plan import SimulationPlan
from companion.players.simulation.report import json_value, table
from companion.players.simulation.tally import SimulationTally

__all__ = [
    "SimulationPlan",
    "SimulationTally",
    "cores",
    "json_value",
    "play_games",
    "table",
    "unfair",
]
