"""Keys of a language's file: every phrase, with the places that it has to fill.

A phrase whose key ends in the name of an event, a part or a rule is said for just that.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from companion.rules.game.rulings import RULINGS

NUMBERS = 32
"""Numbers in words, from 0 to the highest count of the play (rule P1)."""
RANKS = 13
"""Ranks in words, ace first, with their article."""

LISTS: Mapping[str, int] = MappingProxyType({"numbers": NUMBERS, "ranks": RANKS})
"""The lists of words, and how many words each has."""

TRANSLATIONS = "names"
"""The table that may hold any keys: names of sides as they are set, and what to say instead."""

_PLAIN = {
    "voice": "",
    "side": "number",
    "partner": "name seat",
    "card": "rank suit",
    "blue_hole": "number",
    "green_hole": "number",
    **{f"suits.{suit}": "" for suit in "SHDC"},
}
_JOIN = {
    "join.items_more": "first more",
    "join.items_last": "first last",
    "join.clauses_more": "first more",
    "join.clauses_last": "first last",
    "join.sides": "first more",
    "join.clause": "who does",
    "join.line": "clauses",
}
_ADDS_UP = {
    "adds_up.fifteen": "total",
    "adds_up.first": "what total",
    "adds_up.then": "what total",
    "adds_up.thirty-one": "",
    "adds_up.pair": "",
    "adds_up.other-pair": "",
    "adds_up.pair-royal": "",
    "adds_up.double-pair-royal": "",
    "adds_up.run": "length",
    "adds_up.double-run": "length",
    "adds_up.triple-run": "length",
    "adds_up.double-double-run": "length",
    "adds_up.flush": "length",
    "adds_up.nobs": "",
}
_CARDS = {
    "cards.discarded": "cards",
    "cards.discarded_one": "",
    "cards.discarded_under_deck": "",
    "cards.starter": "card",
    "cards.played": "card count",
    "cards.said_go": "",
    "cards.dead": "cards",
    "cards.leads": "who",
    "cards.empty_hand": "",
    "cards.empty_crib": "",
}
_COUNTS = {
    "counts.hand": "sum",
    "counts.crib": "sum",
    "counts.play": "card count sum",
    "counts.play_to_number": "card sum",
    "counts.heels": "points",
    "counts.go": "points",
    "counts.last": "points",
    "counts.plain": "points",
    "counts.nothing": "",
    "counts.penalty": "points",
    "counts.muggins": "points",
    "counts.great": "total line",
}
_BOARD = {
    "board.to": "does to",
    "board.off_blue": "to",
    "board.off_green": "to",
    "board.slid": "to",
    "board.trapped": "to",
    "board.advanced": "to",
    "board.folded": "to",
    "board.boxed": "hands",
    "board.sent_back": "to",
    "board.awarded": "points",
    "board.skipped": "to",
    "board.served": "to",
    "board.let_off": "to",
    "board.owed": "",
    "board.released": "to",
    "board.forfeited": "to",
    "board.overpegged": "points",
    "board.claimed": "",
    "board.skunked": "",
    "board.double_skunked": "",
    "board.won": "",
    "board.won_more": "games",
    "board.match_won": "",
    "board.dealt": "",
}
_REFEREE = {
    **{f"referee.{rule}": "" for rule in RULINGS},
    "referee.M1": "points",
    "referee.M2": "points",
    "referee.M3": "points",
}
_TABLE = {
    "table.new_game": "",
    "table.undone": "",
    "table.taken_back": "line",
}
_SIDE_HINTS = (
    "not-playing",
    "boxed",
    "folded",
    "nothing-pending",
    "box-entered",
    "box-moved",
    "box-served",
    "deal-forgotten",
    "hold-undo",
)
_TABLE_HINTS = (
    "game-over",
    "count-limit",
    "count-pending",
    "nobody-counted",
    "sign-up",
    "sign-up-closed",
    "too-few-sides",
    "awake",
    "game-shown",
    "phone-waits",
    "phone-let-in",
)
_HINTS = {
    **{f"hints.{kind}": "side" for kind in _SIDE_HINTS},
    **{f"hints.{kind}": "" for kind in _TABLE_HINTS},
    "hints.stuck": "button",
}

PHRASES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        key: frozenset(places.split())
        for key, places in (
            _PLAIN | _JOIN | _ADDS_UP | _CARDS | _COUNTS | _BOARD | _REFEREE | _TABLE | _HINTS
        ).items()
    }
)
"""Every phrase by its key, with the names of its places: all of them are filled, and no others."""
