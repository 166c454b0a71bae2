"""`cribwars doctor`: the findings, for people and for programs."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import msgspec

from companion.cli.options import FAULTY, config_option, data_option
from companion.devices.doctor.examine import examine
from companion.devices.doctor.finding import Level
from companion.settings.paths import data_folder, settings_in_force


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="The findings as one JSON value, a list.")
@config_option
@data_option
@click.option(
    "--root",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default="/",
    help="A machine recorded as files, instead of this one.",
)
def doctor_command(
    *, as_json: bool, config_file: Path | None, data: Path | None, root: Path
) -> None:
    """Tell what is in order here, and what to mend.

    It only looks, and a table may be running. The exit code is 1 if there is something to mend.
    """
    findings = list(
        examine(lambda: settings_in_force(config_file, {}), data=data or data_folder(), root=root)
    )
    if as_json:
        click.echo(msgspec.json.encode(findings))
    else:
        for finding in findings:
            click.echo("\n".join(finding.lines()))
    if any(finding.level is Level.FIX for finding in findings):
        sys.exit(FAULTY)
