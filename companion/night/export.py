"""Exports of a night as CSV (RFC 4180), for spreadsheets."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from companion.night.organiser import Organiser
from companion.night.outcomes import cards
from companion.night.standings import standings


def standings_csv(organiser: Organiser) -> bytes:
    """Return the standings, a row an entrant."""
    head = ("rank", "name", "game_points", "games_won", "games_lost", "net_spread", "plus_points")
    places = standings(cards(organiser.plan, organiser.outcomes.values()))
    rows = (
        (each.rank, each.name, each.points, each.won, each.lost, each.net, each.plus)
        for each in places
    )
    return _csv(head, rows)


def cards_csv(organiser: Organiser) -> bytes:
    """Return the lines of all cards, a row a line, by round and table."""
    head = ("round", "table", "name", "opponent", "game_points", "plus", "minus")
    drawn = cards(organiser.plan, organiser.outcomes.values())
    rows = [
        (each.round, each.table, name, each.opponent, each.points, each.plus, each.minus)
        for name, lines in drawn.items()
        for each in lines
    ]
    return _csv(head, sorted(rows))


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(head)
    writer.writerows([_cell(each) for each in row] for row in rows)
    return text.getvalue().encode()


def _cell(value: object) -> object:
    """Return a value for a cell: a text that a spreadsheet would take for a formula is quoted.

    >>> _cell("=1+1"), _cell(-31)
    ("'=1+1", -31)
    """
    return f"'{value}" if isinstance(value, str) and value[:1] in {*"=+-@"} else value
