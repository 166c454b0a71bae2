"""`cribwars play`: a game of cards against the computer, in plain text."""

import random
import sys

import click

from companion.cli.language import language_option, phrases_for
from companion.cli.options import CompletedText
from companion.cli.replay import preset_option, rules_with, set_option
from companion.cli.terminal_game import EndOfInputError, TerminalGame
from companion.errors import Text
from companion.players import KINDS, make_player
from companion.rules.game import Setup


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
