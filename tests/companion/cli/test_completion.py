"""`cribwars completion`: each script in its shell, at a real terminal."""

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.limits import TIMEOUT_S
from tests.support.program import MAIN, ROOT, environment

COMPLETED = (
    ("board ch", "board check"),
    ("board check cr", "board check crib-wars"),
    ("board check mi", "board check mine.toml"),
    ("play --ag", "play --against"),
    ("play --against sh", "play --against shark"),
    ("play --preset=e", "play --preset=electronic"),
    ("play --set=finish=e", "play --set=finish=exact"),
    ("simulate --players shark,re", "simulate --players shark,regular"),
    ("bridge flash --board me", "bridge flash --board mega"),
    ("run --strip rpi_ws281x:sp", "run --strip rpi_ws281x:spi"),
    ("config --config=mi", "config --config=mine.toml"),
    ("doctor --root su", "doctor --root sub"),
)
"""The beginning of a command, and what Tab makes of it."""

RUN = "cribwars() { printf 'completed: %s\\n' \"$*\"; }; echo rea''dy"
"""Commands for a shell that then shows what it would run."""

BASH = ("bash", "--norc", "--noprofile", "-i")
ZSH = ("zsh", "-f", "-i")
START = {
    BASH: "source <(cribwars completion bash)",
    ZSH: "autoload -U compinit; compinit -u -D; source <(cribwars completion zsh)",
}


def lacks(shell: str) -> str:
    """Return the packages of a shell that this machine lacks, empty if none."""
    return "" if shutil.which(shell) else f"needs the package {shell}"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a folder with a file and a folder to complete, and the program in its `bin`."""
    for folder in ("bin", "program", "sub"):
        (tmp_path / folder).mkdir()
    (tmp_path / "mine.toml").touch()
    program = tmp_path / "program" / "cribwars"
    program.write_text(f"import sys; sys.path.append({str(ROOT)!r}); {MAIN[1]}")
    command = tmp_path / "bin" / "cribwars"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P "{program}" "$@"\n')
    command.chmod(0o755)
    return tmp_path


def variables(home: Path) -> dict[str, str]:
    """Return the environment of a shell there."""
    path = f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return environment(home, PATH=path, TERM="dumb", LC_ALL="C.UTF-8")


class Terminal:
    """A terminal with a shell at its other end."""

    def __init__(self, end: int) -> None:
        self._end = end

    def type(self, keys: str, *, until: str) -> None:
        """Type keys, and wait until a text is shown."""
        os.write(self._end, keys.encode())
        shown, deadline = "", time.monotonic() + TIMEOUT_S
        while until not in shown:
            ready = select.select([self._end], [], [], max(0.0, deadline - time.monotonic()))
            assert ready[0], f"{keys!r} shows {shown!r} and not {until!r}"
            shown += os.read(self._end, 4096).decode(errors="replace")


@contextmanager
def terminal(shell: tuple[str, ...], home: Path) -> Iterator[Terminal]:
    """Open a terminal with a shell that completes; it is killed at the end."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        shell,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=home,
        env=variables(home),
        start_new_session=True,
    ) as process:
        os.close(theirs)
        try:
            opened = Terminal(ours)
            opened.type(f"{START[shell]}; {RUN}\n", until="ready")
            yield opened
        finally:
            process.kill()
            process.wait(TIMEOUT_S)
            os.close(ours)


@pytest.mark.parametrize(
    "shell",
    [
        pytest.param(each, id=each[0], marks=pytest.mark.tool(lacks=lacks(each[0])))
        for each in START
    ],
)
def test_tab_completes_commands_options_names_and_files(shell: tuple[str, ...], home: Path) -> None:
    """This holds after = and :, too, and for the last of several values."""
    with terminal(shell, home) as opened:
        for typed, completed in COMPLETED:
            opened.type(f"cribwars {typed}\t\n", until=f"completed: {completed}")


@pytest.mark.tool(lacks=lacks("fish"))
def test_fish_completes_commands_options_names_and_files(home: Path) -> None:
    """It lists the last word of each command, a tab, and the whole help."""
    asked = [f"complete -C 'cribwars {typed}'" for typed, _ in COMPLETED]
    script = "; ".join(("cribwars completion fish | source", *asked))
    done = subprocess.run(
        [shutil.which("fish") or "", "--no-config", "--command", script],
        cwd=home,
        env=variables(home),
        capture_output=True,
        check=True,
        timeout=2 * TIMEOUT_S,
        encoding="utf-8",
    )
    lines = dict(line.partition("\t")[::2] for line in done.stdout.splitlines())
    assert [completed.split(" ")[-1] for _, completed in COMPLETED] == [
        word.rstrip("/") for word in lines
    ]
    assert "Check a board: print every fault with..." == lines["check"]
