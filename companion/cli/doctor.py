"""`cribwars doctor`: the findings, for people and for programs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from companion.cli.options import FAULTY, config_option, data_option
from companion.devices.doctor.examine import HERE, examine
from companion.devices.doctor.finding import Finding, Level
from companion.encoding import encode_json
from companion.errors import AddressError, FaultsError
from companion.settings.load import Settings
from companion.settings.paths import data_folder, settings_in_force
from companion.web.server import check_address


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="The findings as one JSON value, a list.")
@config_option
@data_option
@click.option(
    "--root",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=HERE,
    help="A machine recorded as files, instead of this one.",
)
def doctor_command(
    *, as_json: bool, config_file: Path | None, data: Path | None, root: Path
) -> None:
    """List what is in order here, and what to mend.

    It only looks, and a table may be running. The exit code is 1 if there is something to mend.
    """

    def load() -> Settings:
        return settings_in_force(config_file, {})

    findings = [*examine(load, data=data or data_folder(), root=root)]
    if root == HERE:
        findings += _address_findings(load)
    if as_json:
        click.echo(encode_json(findings))
    else:
        for finding in findings:
            click.echo("\n".join(finding.lines()))
    if any(finding.level is Level.FIX for finding in findings):
        sys.exit(FAULTY)


def _address_findings(load: Callable[[], Settings]) -> Iterator[Finding]:
    """Yield the finding about the page's address; a port in use may be that of a table."""
    try:
        settings = load()
        host, port = settings.text("web", "host"), int(settings.number("web", "port"))
    except FaultsError:
        return
    what = f"the page at {host} port {port}"
    try:
        check_address(host, port, own=port)
    except AddressError as error:
        yield Finding(level=Level.FIX, what=what, why=str(error))
    else:
        yield Finding(
            level=Level.OK, what=what, why="the address can be had, or has a page already"
        )
