"""`cribwars doctor`: print what works on this machine and what to mend, as text or as JSON.

The machine is examined in `companion.devices.doctor`. This command adds a finding about the page's
address, prints all findings, and exits with 1 if one must be mended. With `--walk` it also asks, on
stderr, if each button and light pattern works; each answer "n" is a finding to mend.
"""

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

import click

from companion.cli.language import phrases_for, tell
from companion.cli.options import FAULTY, config_option, data_option
from companion.devices.assembly import assemble
from companion.devices.doctor.examine import examine
from companion.devices.doctor.finding import HERE, Finding, Level
from companion.devices.doctor.walk import WalkReply, WalkReport, WalkResult, steps_of, walk
from companion.devices.light_test import try_strip
from companion.encoding import encode_json
from companion.errors import AddressError, BadInputError, FaultsError, Text, as_text
from companion.files import disk_errors
from companion.settings.paths import data_folder, settings_in_force
from companion.settings.schema import Settings
from companion.web.server import check_address

_PATTERN_FRAMES: Final = 90
SERVICE_FILE: Final = Path("/etc/cribwars/cribwars.toml")
SERVICE_DATA: Final = Path("/var/lib/cribwars")


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="The findings as one JSON value, a list.")
@click.option(
    "--walk",
    "report",
    is_flag=False,
    flag_value="cribwars-walk.json",
    type=click.Path(path_type=Path),
    help="Ask twenty questions about a new board, and write a report into a file. Stop "
    "`cribwars run` first.",
)
@config_option
@data_option
@click.option(
    "--root",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=HERE,
    help="A folder with another machine's files, to examine that machine.",
)
def doctor_command(
    *, as_json: bool, report: Path | None, config_file: Path | None, data: Path | None, root: Path
) -> None:
    """List what works on this machine, and what to mend.

    `cribwars run` may be running, except with --walk. On an installed board, root examines the
    settings and games of the service. The exit code is 1 if there is something to mend.
    """
    if root == HERE and os.geteuid() == 0 and SERVICE_FILE.exists():
        config_file, data = config_file or SERVICE_FILE, data or SERVICE_DATA

    def load() -> Settings:
        return settings_in_force(config_file, {})

    place = data or data_folder()
    findings = [*examine(load, data=place, clock=time.monotonic, now=time.time(), root=root)]
    if root == HERE:
        findings += _address_findings(load)
    if report:
        findings = _walk(load(), findings, report)
    if as_json:
        click.echo(encode_json(findings))
    else:
        say = phrases_for().message
        columns, _ = shutil.get_terminal_size(fallback=(sys.maxsize, 0))  # a pipe has no width
        for finding in findings:
            click.echo("\n".join(finding.lines(columns, say)))
    if any(finding.level is Level.FIX for finding in findings):
        sys.exit(FAULTY)


def _walk(settings: Settings, findings: list[Finding], file: Path) -> list[Finding]:
    """Ask the questions of `--walk`, write the report, and add a finding for each answer "no"."""
    if file.exists():
        raise BadInputError(
            "{file} is there already: give another name with --walk FILE", file=file
        )
    results: list[WalkResult] = []
    clock = time.monotonic

    def show(pattern: str) -> None:
        try_strip(
            settings,
            names=(pattern,),
            frames=_PATTERN_FRAMES,
            tell=_say,
            clock=clock,
            sleep=time.sleep,
            now=_now,
        )

    with ExitStack() as opened:
        board = assemble(settings)
        steps = steps_of(settings, board, opened, say=_say, wait=_wait, show=show, clock=clock)
        results += walk(steps, _say, _ask)
    walked = WalkReport(
        date=_now().isoformat(timespec="seconds"),
        version=version("cribwars"),
        findings=findings,
        results=results,
    )
    text = "{file} cannot be written ({reason}): give another place with --walk FILE"
    with disk_errors(BadInputError, text, file=file):
        file.write_bytes(encode_json(walked))
    _say(Text("the report is {file}: send it to whoever helps you", file=file))
    remedy = Text("see deploy/wiring.md: pins, level shifter, taps, supply")
    refused = [
        Finding.fix(each.what, Text("answered no"), remedy)
        for each in results
        if each.reply is WalkReply.NO
    ]
    return [*findings, *refused]


def _now() -> datetime:
    return datetime.now().astimezone()


def _say(line: Text) -> None:
    tell(line, err=True)


def _wait(instruction: Text) -> None:
    _say(instruction)
    sys.stdin.readline()


def _ask(question: Text) -> WalkReply:
    """Ask until the answer is yes or no; if the input has ended, the question is skipped."""
    while True:
        click.echo(f"  {phrases_for().message(question)} [y/n] ", nl=False, err=True)
        line = sys.stdin.readline()
        match line.strip().lower()[:1]:
            case "y":
                return WalkReply.YES
            case "n":
                return WalkReply.NO
            case "" if not line:
                return WalkReply.SKIPPED
            case _:
                pass


def _address_findings(load: Callable[[], Settings]) -> Iterator[Finding]:
    """Yield a finding about the page's address; a port that `cribwars run` uses is no fault."""
    try:
        settings = load()
        host, port = settings.web.host, settings.web.port
    except FaultsError:
        return
    what = Text("the page at {host} port {port}", host=host, port=port)
    try:
        check_address(host, port, own=port)
    except AddressError as error:
        yield Finding.fix(what, as_text(error))
    else:
        yield Finding.ok(what, Text("the address is free, or serves the page already"))
