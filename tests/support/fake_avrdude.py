"""An avrdude for tests: it records its calls, and succeeds or fails as the test wants."""

import os
from pathlib import Path

import pytest

SCRIPT = """#!/bin/sh
printf '%s\\n' "$PWD" "$@" > "{folder}/called"
[ -f "{folder}/fails" ] || exit 0
printf 'avrdude: stk500_recv(): programmer is not responding\\n\\n' >&2
exit 1
"""


class FakeAvrdude:
    """The first avrdude on the PATH."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder.mkdir()
        self._folder = folder
        program = folder / "avrdude"
        program.write_text(SCRIPT.format(folder=folder))
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def fail(self) -> None:
        """Fail from now on, as if there were no board."""
        (self._folder / "fails").touch()

    @property
    def is_called(self) -> bool:
        """True if it has been called."""
        return (self._folder / "called").exists()

    @property
    def call(self) -> tuple[Path, list[str]]:
        """Return the folder and the arguments of the last call."""
        folder, *arguments = (self._folder / "called").read_text().splitlines()
        return Path(folder), arguments


@pytest.fixture
def avrdude(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeAvrdude:
    """Put an avrdude on the PATH that finds its board."""
    return FakeAvrdude(tmp_path / "bin", monkeypatch)
