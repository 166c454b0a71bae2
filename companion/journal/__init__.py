"""Recorded games: the journal, matches and statistics, export, backup and restore."""

from companion.journal.backup.create import back_up
from companion.journal.backup.restore import Restored, staged
from companion.journal.export import CSV_COLUMNS, export_csv, export_json
from companion.journal.games import (
    Game,
    MatchRecord,
    Race,
    WholeGame,
    race,
)
from companion.journal.records import Records
from companion.journal.replay import Past
from companion.journal.side_statistics import ByReason, SideFigures, Swing
from companion.journal.statistics import Averages, Feat, Skunks, Statistics

__all__ = [
    "CSV_COLUMNS",
    "Averages",
    "ByReason",
    "Feat",
    "Game",
    "MatchRecord",
    "Past",
    "Race",
    "Records",
    "Restored",
    "SideFigures",
    "Skunks",
    "Statistics",
    "Swing",
    "WholeGame",
    "back_up",
    "export_csv",
    "export_json",
    "race",
    "staged",
]
