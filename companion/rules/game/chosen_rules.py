"""House rules that are chosen for a game: a preset with changes, on the board of the game."""

from collections.abc import Mapping

from companion.board import Board, load_board
from companion.rules.game.house_rules import HouseRules, fit_skunk_lines, preset, with_rule


def choose_rules(
    preset_name: str, changes: Mapping[str, str], board_name: str | None
) -> tuple[HouseRules, Board]:
    """Return the rules of a preset with these changes, and the named board or the rules' board.

    Raises:
        RuleError: there is no such preset or house rule, or a rule cannot have this value (G7).
        BoardFileError: the board has faults, or there is no such board.
    """
    rules = preset(preset_name)
    for name, value in changes.items():
        rules = with_rule(rules, name, value)
    if board_name is not None:
        rules = with_rule(rules, "board", board_name)
    board = load_board(rules.board)
    finish = rules.length_on(board.track.finish)
    return fit_skunk_lines(rules, preset=preset_name, finish=finish, by_name=changes), board
