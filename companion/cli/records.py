"""`cribwars records`: the games so far, listed, shown, exported, backed up and restored.

All commands but `restore` may run while a game is played. The automatic backup writes a file into
the data folder and onto each USB stick, if there are new games since the last backup there. If a
stick fails, the backup goes on with the next stick. If systemd runs the command, it also writes a
file about each stick, with a word such as "full", from which the page says what happened.
"""

import errno
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import click
import msgspec

from companion.backups.backup_file import back_up
from companion.backups.folders import backup_folders, is_needed, make_backup, mounted_sticks, staged
from companion.backups.restore import restore
from companion.cli.language import phrases_for, tell
from companion.cli.options import FILE, WholeGroup, config_option, data_option, json_option
from companion.commentary import Phrases
from companion.errors import (
    BadInputError,
    JournalError,
    Text,
    as_text,
    joined,
    plural,
    system_error,
)
from companion.files import disk_errors
from companion.journal.store import FILE as JOURNAL
from companion.records.games import RecordedGame, WholeGame
from companion.records.records import Records
from companion.runtime.sticks import StickFact, leave_fact
from companion.settings.paths import (
    data_folder,
    runtime_folder,
    settings_in_force,
    settings_path,
    sticks_folder,
)
from companion.web.export import export_csv, export_json


@click.group("records", cls=WholeGroup)
def records_group() -> None:
    """List and show the games so far; export, back up and restore them."""


@records_group.command("list")
@data_option
@json_option
def list_command(*, data: Path | None, as_json: bool) -> None:
    """List every game, oldest first."""
    with _records(data) as records:
        games = records.games()
        faults = records.faults
    for fault in faults:
        tell(fault, err=True)
    if as_json:
        click.echo(msgspec.json.encode(games))
    elif not games:
        tell("No games yet: `cribwars run` records the games that are played.")
    else:
        phrases = phrases_for()
        for game in games:
            click.echo(_game_line(game, phrases))


@records_group.command("show")
@click.argument("number", metavar="N", type=int)
@data_option
@config_option
@json_option
def show_command(
    *, number: int, data: Path | None, config_file: Path | None, as_json: bool
) -> None:
    """Print a game step by step, in the language of the settings.

    N is the game's number in `list`.
    """
    language = settings_in_force(config_file, {}).language
    with _records(data) as records:
        whole = records.game(number, language=language)
    if as_json:
        click.echo(msgspec.json.encode(whole))
    else:
        for line in _steps(whole, phrases_for(language)):
            click.echo(line)


@records_group.command("export")
@click.argument("file", type=FILE)
@click.option(
    "--csv", "as_csv", is_flag=True, help="A table with one row for each count, instead of JSON."
)
@data_option
@config_option
def export_command(*, file: str, as_csv: bool, data: Path | None, config_file: Path | None) -> None:
    """Write all games as JSON, or their counts as CSV.

    FILE is replaced if it exists; - is stdout.
    """
    language = settings_in_force(config_file, {}).language
    with _records(data) as records:
        chunks = export_csv(records) if as_csv else export_json(records, language=language)
        _write(file, chunks)


@records_group.command("backup")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option(
    "--automatic",
    is_flag=True,
    help="Make a backup in the data folder and on each USB stick, if it is needed.",
)
@data_option
@config_option
def backup_command(
    *, file: Path | None, automatic: bool, data: Path | None, config_file: Path | None
) -> None:
    """Put the journal, settings and paired phones into one new FILE; the table may be running."""
    if (file is None) != automatic:
        raise BadInputError("give either a file or --automatic")
    folder, settings, now = data or data_folder(), config_file or settings_path(), time.time()
    if file:
        manifest = back_up(folder, file, settings=settings, now=now)
        games = plural(manifest.games, "{n} game", "{n} games")
        tell(joined(": ", (file, joined(", ", (games, *manifest.files)))))
    elif (folder / JOURNAL).exists():
        _back_up_automatically(folder, settings, now)
    else:
        for stick in mounted_sticks(sticks_folder()):
            _leave(stick, "nothing-new")


def _back_up_automatically(data: Path, settings: Path | None, now: float) -> None:
    errors: list[Text] = []
    done: list[Path] = []
    sticks = sticks_folder()
    # Search again at the end: a stick may have been put in meanwhile.
    while new := [each for each in backup_folders(data, sticks) if each not in done]:
        target = new[0]
        done.append(target)
        try:
            if is_needed(data, target):
                name = as_text(make_backup(data, target, settings=settings, now=now).name)
                kind, why = "backed-up", ""
            else:
                name, kind, why = Text("nothing new"), "nothing-new", ""
            tell(joined(": ", (target, name)))
        except (BadInputError, JournalError) as error:
            errors.append(error.text)
            kind, why = _TROUBLES.get(system_error(error) or 0, "no-backup"), str(error)
        if target.parent != data:
            _leave(target.parents[1], kind, why)
    for stick in {*mounted_sticks(sticks)} - {target.parents[1] for target in done}:
        _leave(stick, "linked")
    if errors:
        raise BadInputError(joined("\n", errors))


_TROUBLES = {errno.ENOSPC: "full", errno.EROFS: "write-protected"}


def _leave(stick: Path, kind: str, *values: str) -> None:
    """Leave a file about a stick for the page, if systemd runs this backup.

    A file that cannot be written is not an error: the backup itself counts.
    """
    folder = runtime_folder()
    if folder:
        with suppress(OSError):
            leave_fact(folder, stick.name, StickFact(kind=kind, values=values))


@records_group.command("restore")
@click.argument("file", type=click.Path(path_type=Path))
@data_option
@config_option
def restore_command(*, file: Path, data: Path | None, config_file: Path | None) -> None:
    """Restore a backup FILE; the table must be stopped.

    The whole FILE is checked before anything is replaced, and the replaced files are kept as a
    backup.
    """
    with staged(file, data or data_folder()) as backup:
        said = restore(backup, config_file or settings_path(), time.time())
    for fault in backup.faults:
        tell(fault, err=True)
    if said:
        tell(said)


def _records(data: Path | None) -> Records:
    return Records(data or data_folder())


def _write(file: str, chunks: Iterable[bytes]) -> None:
    if file == "-":
        for chunk in chunks:
            sys.stdout.buffer.write(chunk)
        return
    text = "{file} cannot be written ({reason}): choose another place"
    with disk_errors(BadInputError, text, file=file), Path(file).open("wb") as target:
        for chunk in chunks:
            target.write(chunk)


def _game_line(game: RecordedGame, phrases: Phrases) -> str:
    names = {side: listed.name for side, listed in game.sides.items() if listed.name}
    sides = ", ".join(
        f"{phrases.side(side, names)} {listed.progress}" for side, listed in game.sides.items()
    )
    end = Text(game.standing.value)
    if game.winner:
        name = phrases.side(game.winner, names)
        end = Text("{name} won", name=name)
        if game.worth is not None and game.worth > 1:
            end = Text("{name} won, for {worth} games", name=name, worth=game.worth)
    begun = datetime.fromtimestamp(game.begun).astimezone()
    counts = phrases.message(plural(game.counts, "{n} count", "{n} counts"))
    hands = phrases.message(plural(game.hands, "{n} hand", "{n} hands"))
    return (
        f"{game.number:>5}  {begun:%Y-%m-%d %H:%M}  {game.board:<12}  "
        f"{counts:>11}  {hands:>8}  {sides}; {phrases.message(end)}"
    )


def _steps(whole: WholeGame, phrases: Phrases) -> Iterator[str]:
    yield _game_line(whole.game, phrases).strip()
    for number, step in enumerate(whole.steps):
        if step.words:
            yield f"{number:>5}  {datetime.fromtimestamp(step.t).astimezone():%H:%M}  {step.words}"
