"""Commands with computer players: `cribwars play`, `cribwars player` and `cribwars simulate`.

`play` is a game of cards in plain text, and `player` gives a computer player's answers. `simulate`
plays numbered games on all cores, and adds up their results as they arrive. The random numbers of
game 7 depend only on the seed and 7, so that the same seed gives the same sums with any number of
processes.
"""

import random
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from typing import NoReturn

import click
import msgspec

from companion.board import Board, board_names, draw_heat, load_board
from companion.cli.language import language_option, phrases_for
from companion.cli.options import FILE, CompletedText, board_option, is_terminal, require_jsonl
from companion.cli.replay import answer_file, answers, preset_option, rules_with, set_option
from companion.cli.terminal_game import EndOfInputError, TerminalGame
from companion.errors import Fault, Text
from companion.files import write_text
from companion.players import KINDS, make_player
from companion.players.ask import answer
from companion.players.simulation import GameRecord, SimulationPlan, cores, play_games
from companion.players.tally import SimulationTally, json_value, report, unfair
from companion.rules.game import HouseRules, Setup


@click.command("play")
@click.option(
    "--against",
    "kind",
    default="regular",
    show_default=True,
    type=CompletedText(lambda: KINDS),
    metavar="|".join(KINDS),
    help="The kind of computer player.",
)
@preset_option
@set_option
@language_option
@click.option("--seed", type=int, help="The same seed and input give the same game.")
def play_command(
    *, kind: str, preset_name: str, changes: tuple[str, ...], language: str | None, seed: int | None
) -> None:
    """Play cards against the computer: a game, or a match if the preset has one.

    Cards are typed as rank and suit, such as 5h; q ends the game.
    """
    (rules, sheet), phrases = rules_with(preset_name, changes, None), phrases_for(language)
    setup = Setup.make(sheet.track, rules, sides=(1, 2))
    rng = random.Random(seed)  # noqa: S311  # no secrets in a game
    game = TerminalGame(
        setup,
        make_player(kind, setup, rng),
        kind,
        rng=rng,
        phrases=phrases,
        read=_read_line,
        write=click.echo,
    )
    try:
        game.play()
    except EndOfInputError:
        click.echo(phrases.message(Text("Good night.")))


def _read_line() -> str | None:
    """Return the next line of stdin, even if it is not UTF-8; None at the end."""
    line = sys.stdin.buffer.readline()
    return line.decode(errors="replace") if line else None


@click.command("player")
@click.argument("file", type=FILE, default="-")
@click.option(
    "--kind",
    type=CompletedText(lambda: KINDS),
    required=True,
    metavar="|".join(KINDS),
    help="The kind of computer player.",
)
@board_option
@click.option("--jsonl", is_flag=True, help="Read one line of JSON for each question.")
def player_command(*, file: str, kind: str, board: str | None, jsonl: bool) -> None:
    """Ask a computer player what to throw and what to play.

    FILE has one line of JSON for each question; - is stdin.
    """
    require_jsonl("player", given=jsonl)
    rules = HouseRules(board=board or HouseRules().board)
    setup = Setup.make(load_board(rules.board).track, rules, sides=(1, 2))
    player = make_player(kind, setup, random.Random())  # noqa: S311  # no secrets in cards
    answer_file(file, partial(answers, answer=partial(answer, player=player, track=setup.track)))


@click.command("simulate")
@board_option
@click.option(
    "--players",
    "kinds",
    type=CompletedText(lambda: KINDS, several=True),
    required=True,
    metavar="KIND,KIND",
    help="Players, with commas between: child, regular or shark.",
)
@click.option(
    "--seats", type=int, help="The number of seats, 2, 3, 4 or 6; the kinds take them in turn."
)
@click.option(
    "--games", type=click.IntRange(1), default=1000, show_default=True, help="The number of games."
)
@click.option(
    "--seed", type=int, default=1, show_default=True, help="The same seed gives the same games."
)
@click.option(
    "--jobs", type=click.IntRange(1), help="The number of processes; by default one for each core."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON value.")
@click.option(
    "--svg", "file", type=FILE, help="Write a drawing of the board that shows where pegs land most."
)
@preset_option
@set_option
def simulate_command(
    *,
    board: str | None,
    kinds: str,
    seats: int | None,
    games: int,
    seed: int,
    jobs: int | None,
    as_json: bool,
    file: str | None,
    preset_name: str,
    changes: tuple[str, ...],
) -> None:
    """Play games among computer players, and print statistics of the games.

    After each game all players move on by one seat.
    """
    began = time.perf_counter()
    rules, sheet = rules_with(preset_name, changes, board)
    names = [kind.strip() for kind in kinds.split(",")]
    plan = SimulationPlan.make(sheet.track, rules, names, seats=seats, seed=seed)
    if file is not None:
        write_text(file, "")  # fails here, not after the games, if it cannot be written
    tally = simulated(plan, games, jobs=jobs)
    if file is not None:
        write_text(file, _heat(sheet, tally))
    seconds = time.perf_counter() - began
    if as_json:
        click.echo(msgspec.json.encode(json_value(tally, seconds=seconds)))
        return
    for line in report(tally, seconds=seconds, say=phrases_for().message):
        click.echo(line)


def simulated(plan: SimulationPlan, games: int, *, jobs: int | None = None) -> SimulationTally:
    """Return the tally of this number of games; show progress on a terminal.

    `jobs` is the number of processes, by default one for each core.
    """
    tally = SimulationTally(plan=plan)
    with (
        _ended_by_term(),
        closing(play_games(plan, games, jobs=jobs or cores())) as records,
        _watched(records, games) as shown,
    ):
        for number, record in enumerate(shown):
            tally.add(number, record)
    return tally


def fairness_faults(name: str) -> tuple[Fault, ...]:
    """Return the faults that make games on this board unfair; its file must be valid."""
    file = f"{name}.toml" if name in board_names() else name
    return tuple(replace(fault, file=file) for fault in unfair(load_board(name), simulated))


@contextmanager
def _watched(records: Iterable[GameRecord], games: int) -> Iterator[Iterable[GameRecord]]:
    if not is_terminal(sys.stderr):
        yield records
        return
    with click.progressbar(
        records, length=games, label=phrases_for().message(Text("games")), file=sys.stderr
    ) as bar:
        yield bar


@contextmanager
def _ended_by_term() -> Iterator[None]:
    """Let SIGTERM raise SystemExit, so that the processes that play the games end too."""

    def end(number: int, _frame: object) -> NoReturn:
        sys.exit(128 + number)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _heat(board: Board, tally: SimulationTally) -> str:
    sides = len(tally.plan.setup.sides)
    times = sides * tally.games
    return draw_heat(
        board,
        {hole: landings / times for hole, landings in tally.landings.items()},
        {zone: visits / tally.games for zone, visits in tally.zones.items()},
        lanes=sides,
    )
