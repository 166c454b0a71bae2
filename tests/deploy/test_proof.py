"""The proof of a new version: it stays if dpkg has finished it and it runs, else it goes."""

import json
from pathlib import Path

import pytest

from tests.deploy.test_stick import fake, pytestmark, run

__all__ = ["pytestmark"]


class Machine:
    """A machine on which version 2 should replace version 1.

    Args:
        state: the state of the package in dpkg.
        configured: its state after an attempt to configure it; "" if that fails.
        restarts: the number of restarts of the service so far.
    """

    def __init__(self, folder: Path, state: str, *, configured: str, restarts: int) -> None:
        self.folder, self.fakes = folder / "update", folder / "fakes"
        self.folder.mkdir()
        (self.folder / "unproven").write_text("2\n")
        now = folder / "state"
        now.write_text(state)
        configure = f"echo {configured} >{now}" if configured else "exit 1"
        install = f'test "$CRIBWARS_PUT_BACK" && echo installed 1 >{now}'
        fake(self.fakes, "dpkg-query", f"cat {now}")
        fake(self.fakes, "dpkg", f'case "$2" in --configure) {configure};; *) {install};; esac')
        fake(self.fakes, "dpkg-deb", "echo 1")
        fake(self.fakes, "sleep", "true")
        answers = f"*NRestarts*) echo {restarts};; *InvocationID*) echo one;;"
        fake(self.fakes, "systemctl", f'case "$*" in {answers} esac')
        self._now = now

    def prove(self) -> tuple[str, object]:
        """Run the proof; return the version at its end, and the report."""
        run("update/prove-update", fakes=self.fakes, CRIBWARS_UPDATE=str(self.folder))
        assert not (self.folder / "unproven").exists()
        report = self.folder / "report.json"
        return self._now.read_text().strip(), report.exists() and json.loads(report.read_text())


BACK = {"failed": "2", "running": "1"}


@pytest.mark.parametrize(
    ("state", "configured", "restarts", "end"),
    [
        ("installed 2", "", 0, ("installed 2", False)),
        ("installed 2", "", 3, ("installed 1", BACK)),
        ("unpacked 2", "installed 2", 0, ("installed 2", False)),
        ("half-configured 2", "installed 2", 3, ("installed 1", BACK)),
        ("half-configured 2", "", 0, ("installed 1", BACK)),
        ("half-installed 2", "", 0, ("installed 1", BACK)),
        ("installed 1", "", 0, ("installed 1", False)),
        ("unpacked 1", "installed 1", 0, ("installed 1", False)),
    ],
)
def test_the_version_that_is_whole_and_runs_stays(
    tmp_path: Path, state: str, configured: str, restarts: int, end: tuple[str, object]
) -> None:
    """A power cut may come before the first file, during unpacking, or on the way back."""
    machine = Machine(tmp_path, state, configured=configured, restarts=restarts)
    assert end == machine.prove()
