"""Records: games, matches and statistics out of the journal; export, backup and restore."""

from companion.records.backup import back_up
from companion.records.book import Records
from companion.records.bundle import Manifest
from companion.records.export import CSV_COLUMNS, export_csv, export_json
from companion.records.figures import ByReason, SideFigures, Swing
from companion.records.games import (
    Game,
    GameSide,
    Pegs,
    Race,
    Standing,
    ToldStep,
    WholeGame,
    race,
)
from companion.records.matches import Match
from companion.records.past import Past, Step
from companion.records.restore import Restored, Staged, staged
from companion.records.statistics import Averages, Feat, Skunks, Statistics, Tally

__all__ = [
    "CSV_COLUMNS",
    "Averages",
    "ByReason",
    "Feat",
    "Game",
    "GameSide",
    "Manifest",
    "Match",
    "Past",
    "Pegs",
    "Race",
    "Records",
    "Restored",
    "SideFigures",
    "Skunks",
    "Staged",
    "Standing",
    "Statistics",
    "Step",
    "Swing",
    "Tally",
    "ToldStep",
    "WholeGame",
    "back_up",
    "export_csv",
    "export_json",
    "race",
    "staged",
]
