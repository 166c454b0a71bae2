"""Recorded games: the journal, matches and statistics, export, backup and restore."""

from companion.journal.backup.archive import Manifest
from companion.journal.backup.create import back_up
from companion.journal.backup.restore import Restored, Staged, staged
from companion.journal.export import CSV_COLUMNS, export_csv, export_json
from companion.journal.games import (
    Game,
    GameSide,
    GameStep,
    MatchRecord,
    Pegs,
    Race,
    Standing,
    WholeGame,
    race,
)
from companion.journal.records import Records
from companion.journal.replay import Past, ReplayStep
from companion.journal.side_statistics import ByReason, SideFigures, Swing
from companion.journal.statistics import Averages, Feat, Skunks, Statistics, Tally

__all__ = [
    "CSV_COLUMNS",
    "Averages",
    "ByReason",
    "Feat",
    "Game",
    "GameSide",
    "GameStep",
    "Manifest",
    "MatchRecord",
    "Past",
    "Pegs",
    "Race",
    "Records",
    "ReplayStep",
    "Restored",
    "SideFigures",
    "Skunks",
    "Staged",
    "Standing",
    "Statistics",
    "Swing",
    "Tally",
    "WholeGame",
    "back_up",
    "export_csv",
    "export_json",
    "race",
    "staged",
]
