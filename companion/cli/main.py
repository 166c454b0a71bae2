"""The command line. Results go to stdout, all other lines to stderr; a traceback is never shown.

A command's module is imported when the command is called, because some imports are slow; `COMMANDS`
names the modules. Every error becomes one line on stderr, in the language of the command, and an
exit status: `cribwars board check clasic` asks "did you mean 'classic'?" and ends with status 2.
"""

import os
import sys
import sysconfig
from gettext import gettext
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Final, cast

import click

from companion.cli.interrupts import killed_by_interrupts
from companion.cli.options import FAULTY, WRONG_USE, WholeGroup, terminal_language
from companion.errors import CompanionError, Text, UnsavedError, as_text
from hardware.errors import HardwareError

COMMANDS: Final = {
    "run": ("Play", "run:run_command"),
    "play": ("Play", "players:play_command"),
    "demo": ("Play", "run:demo_command"),
    "night": ("Play", "night:night_command"),
    "count": ("Play", "count:count_command"),
    "player": ("Play", "players:player_command"),
    "simulate": ("Play", "players:simulate_command"),
    "records": ("Records", "records:records_group"),
    "replay": ("Records", "replay:replay_command"),
    "deal": ("Records", "deal:deal_command"),
    "board": ("Board", "board:board_group"),
    "lights": ("Board", "lights:lights_group"),
    "kit": ("Build", "board:kit_command"),
    "bridge": ("Build", "bridge:bridge_group"),
    "doctor": ("Look after", "doctor:doctor_command"),
    "config": ("Look after", "run:config_command"),
    "completion": ("Look after", "options:completion_command"),
}
"""Commands in the order of the help: section of the help, and `module:name` in this package."""

_EXAMPLES: Final = {
    "board": (
        "cribwars board check crib-wars --fair",
        "cribwars board print classic --svg sheet.svg",
    ),
    "bridge": ("cribwars bridge list", "cribwars bridge identify /dev/ttyACM0"),
    "completion": (
        "cribwars completion bash >> ~/.bashrc",
        "cribwars completion zsh >> ~/.zshrc",
        "cribwars completion fish > ~/.config/fish/completions/cribwars.fish",
    ),
    "config": ("cribwars config",),
    "count": ('cribwars count "5h 5s 5d jc" --starter 5c', "cribwars count --distribution"),
    "demo": ("cribwars demo --speed 4", "cribwars demo --headless --games 1"),
    "doctor": ("cribwars doctor",),
    "kit": ("cribwars kit crib-wars my-kit --paper letter",),
    "lights": ("cribwars lights test --strip virtual --leds 60 --pattern index",),
    "night": (
        "cribwars night --broker mqtt://night.local --name friday",
        "cribwars night --host 0.0.0.0 --port 8100",
    ),
    "play": ("cribwars play --against shark", "cribwars play --preset classic-121 --language fr"),
    "records": ("cribwars records list", "cribwars records show 3"),
    "replay": ("cribwars replay --preset classic-121 game.jsonl",),
    "run": ("cribwars run --simulate", "cribwars run --teams 3 --port 8080"),
    "simulate": ("cribwars simulate --players shark,regular --games 200",),
}
"""Examples at the end of a command's help."""

FIRST_STEPS: Final = {
    "cribwars run --simulate": "Play now in the browser, without a board.",
    "cribwars demo": "Watch the board play by itself.",
    "cribwars kit crib-wars my-kit": "Build a board: what to print, cut and buy.",
    "cribwars doctor": "Check this machine, and see what to mend.",
    "cribwars --help": "List all commands.",
}
"""What `cribwars` alone shows: commands, and what they do."""
FIRST_WORDS: Final = "Where to begin"
DOCUMENTS: Final = "Documents, such as docs/care.md, are in"
"""Title of the help's line with their folder."""

HELP_WIDTH: Final = 100  # most columns of a help
_NAME: Final = "cribwars"
_UTF8: Final = "PYTHONUTF8"


class FailedCommand(Exception):  # noqa: N818  # its cause is the error
    """Failure of a command: the text in its language, and the exit status."""


class LazyGroup(WholeGroup):
    """Group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        return list(COMMANDS)

    def section(self, name: str) -> str:
        return COMMANDS[name][0]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name][1].split(":")
        with killed_by_interrupts():
            command = cast("click.Command", getattr(import_module(f"companion.cli.{module}"), name))
        if cmd_name in _EXAMPLES:
            command.epilog = "\n".join(("\b", "Examples:", *_EXAMPLES[cmd_name]))
        return _in_terminal_language(command)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write where the documents are that errors and settings name."""
        if folder := _documents():
            with formatter.section(gettext(DOCUMENTS)):
                formatter.write(f"  {folder}\n")  # on one line, however long

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; an error is translated here, where the command's settings are known.

        Raises:
            FailedCommand: the command failed.
        """
        try:
            return super().invoke(ctx)
        except (CompanionError, HardwareError) as error:
            from companion.cli.language import phrases_for  # noqa: PLC0415  # slow, and seldom needed

            status = FAULTY if isinstance(error, UnsavedError) else WRONG_USE
            raise FailedCommand(as_text(phrases_for().message(error.text)), status) from error


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": HELP_WIDTH},
)
@click.version_option(package_name=_NAME, message="%(version)s")
@click.pass_context
def cribwars(context: click.Context) -> None:
    """Run the companion of a printed Crib Wars board."""
    if context.invoked_subcommand is None:
        formatter = context.make_formatter()
        with formatter.section(gettext(FIRST_WORDS)):
            formatter.write_dl([(step, gettext(what)) for step, what in FIRST_STEPS.items()])
        click.echo(formatter.getvalue(), nl=False)


def _documents() -> Path | None:
    """Return the folder with README.md and docs: a clone, or where wheel or package put them."""
    shared = Path("share/doc/cribwars")
    places = (Path(__file__).parents[2], sysconfig.get_path("data") / shared, "/usr" / shared)
    return next((each for each in places if (each / "deploy/wiring.md").exists()), None)


def main() -> None:
    """Run a command; turn every error into a line on stderr and an exit status."""
    _use_utf8()
    _open_closed_streams()
    # Output is UTF-8 in any locale, because programs read it; other bytes in file names stay.
    cast("TextIOWrapper", sys.stdout).reconfigure(encoding="utf-8", errors="surrogateescape")
    try:
        _run()
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    finally:
        _drop_unread_output()


def _run() -> None:
    try:
        _in_terminal_language(cribwars).main(prog_name=_NAME, standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        text = "give a command: {command} --help lists them"
        _fail(Text(text, command=error.ctx.command_path))
    except click.UsageError as error:
        problem, command = error.format_message(), error.ctx and error.ctx.command_path
        _fail(
            Text("{problem} (see {command} --help)", problem=problem, command=command)
            if command
            else as_text(problem)
        )
    except FailedCommand as error:
        _fail(*error.args)
    except click.ClickException as error:
        _fail(as_text(error.format_message()))
    except BrokenPipeError:
        pass  # the reader has gone
    except OSError as error:
        text = "reading or writing failed ({error}): check that the place exists and has room"
        _fail(Text(text, error=error))


def _use_utf8() -> None:
    """Start this command again in Python's UTF-8 mode if file names would be ASCII without it."""
    if sys.getfilesystemencoding() != "utf-8" and os.environ.get(_UTF8) != "1":
        command = [sys.executable, *sys.orig_argv[1:]]
        os.execve(sys.executable, command, {**os.environ, _UTF8: "1"})  # noqa: S606  # this program


def _open_closed_streams() -> None:
    """Open /dev/null for each standard stream that the caller has closed (`>&-`).

    Otherwise the next file that is opened, such as the journal, would take its place.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  # for the whole run


def _drop_unread_output() -> None:
    """Drop output that has no reader; otherwise Python reports the error and exits with 120."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _in_terminal_language(command: click.Command) -> click.Command:
    if terminal_language() in ("", "C", "POSIX", "en"):
        return command
    with killed_by_interrupts():
        from companion.cli.language import translated  # noqa: PLC0415  # slow, and seldom needed

    return translated(command)


def _fail(text: Text, status: int = WRONG_USE) -> None:
    from companion.cli.language import console  # noqa: PLC0415  # slow, and seldom needed

    console().report(text)
    sys.exit(status)
