"""The set-up of a recorded game: its board, house rules, sides and names, from the game's row."""

import dataclasses
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Final

import msgspec

from companion.board import Board, Track, board_names, board_source, parse_board
from companion.encoding import UNREADABLE
from companion.errors import BadInputError, RuleError
from companion.journal.store import GameRow, Store, checksum_of
from companion.rules.game import HouseRules, Match, Setup, State, new_game
from companion.rules.game.house_rules import as_settings, with_rule


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRequest:
    """Request for a game: a board file, the set-up made from it, and the sides' names."""

    board_file: bytes
    setup: Setup
    names: Mapping[str, str] = field(default_factory=dict)


class Continuation(StrEnum):
    """Effect of a changed set-up on the running game."""

    UNCHANGED = "unchanged"
    NEXT_GAME = "next-game"
    NEW_GAME = "new-game"


def continuation(old: Setup, new: Setup) -> Continuation:
    """Return the effect of a changed set-up on the running game.

    Changed house rules apply from the next game; another board or other sides begin a new game.
    """
    if old.board_track != new.board_track or (old.sides, old.players) != (new.sides, new.players):
        return Continuation.NEW_GAME
    if dataclasses.replace(old.rules, board=new.rules.board) != new.rules:
        return Continuation.NEXT_GAME
    return Continuation.UNCHANGED


class GameSetup(msgspec.Struct, frozen=True):
    """The column `setup` of a game.

    Attributes:
        games_won: the games that each side had won in the series before this game.
        asked: the sides that the settings asked for.
        dealer: the seat of the first dealer.
        asked_players: the number of players that the settings asked for.
        preset: the name of the chosen house rules; "" for the rules of the settings.
    """

    board: str
    rules: dict[str, str]
    sides: tuple[int, ...]
    players: int
    games_won: dict[int, int]
    names: dict[int, str]
    asked: tuple[int, ...] = ()
    dealer: int = 1
    asked_players: int | None = None
    preset: str = ""


_DECODER: Final = msgspec.json.Decoder(GameSetup)


def read_setup(game: GameRow) -> GameSetup:
    """Return the set-up of a game.

    Raises:
        BadInputError: the column is no set-up.
    """
    try:
        return _DECODER.decode(game.setup)
    except UNREADABLE as error:
        text = "the set-up of game {number}: {error}"
        raise BadInputError(text, number=game.number, error=error) from None


def write_setup(start: State, request: GameRequest) -> bytes:
    """Return the column `setup` of a new game."""
    setup = start.setup
    row = GameSetup(
        board=setup.rules.board,
        rules=as_settings(setup.rules),
        sides=setup.sides,
        asked=request.setup.sides,
        asked_players=request.setup.players,
        players=setup.players,
        games_won=dict(start.match.games),
        names={int(side): name for side, name in request.names.items()},
        dealer=start.dealer,
        preset=setup.preset,
    )
    return msgspec.json.encode(row)


@lru_cache
def _restore_rules(values: tuple[tuple[str, str], ...]) -> HouseRules:
    """Return a game's house rules; a rule without a valid value in the row has its default.

    Equal values are parsed only once.
    """
    rules = HouseRules()
    for name, value in values:
        with suppress(RuleError):
            rules = with_rule(rules, name, value)
    return rules


def start_of(game: GameRow, track: Track) -> State:
    """Return the first state of a game.

    Raises:
        BadInputError, RuleError: the set-up does not fit the track.
    """
    setup = read_setup(game)
    rules, sides = _restore_rules(tuple(setup.rules.items())), setup.sides
    made = Setup.make(track, rules, sides=sides, players=setup.players, preset=setup.preset)
    match = Match(games=tuple(sorted(setup.games_won.items())))
    return new_game(made, match, dealer=setup.dealer)


@lru_cache(maxsize=4)
def parse_board_file(content: bytes, board: str) -> Board:
    """Return the board of a board file in a journal; cached, as most games share a board."""
    return parse_board(content, file=board)


def find_board_file(store: Store, game: GameRow, *others: bytes) -> bytes:
    """Return the board file of a game, or a copy with its checksum if the file is damaged.

    Copies are looked for in the journal, in `others`, and among the boards of this program.

    Raises:
        BadInputError: the file in the journal is damaged, and there is no copy.
    """
    content = store.board_file(game)
    if content is not None:
        return content
    for copy in (*others, *map(board_source, board_names())):
        if checksum_of(copy) == game.board_checksum:
            return copy
    raise BadInputError("the board file of game {number} is damaged", number=game.number)
