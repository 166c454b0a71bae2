"""Games by the thousand among computer players: what a board and its rules make of them."""

from companion.simulation.fairness import unfair
from companion.simulation.plan import Plan
from companion.simulation.tally import Tally
from companion.simulation.telling import json_value, table
from companion.simulation.workers import cores, played

__all__ = ["Plan", "Tally", "cores", "json_value", "played", "table", "unfair"]
