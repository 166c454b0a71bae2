"""Commands that run in this process or in one of their own, with their output."""

import io
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.cli import main
from tests.support.program import MAIN, OWN_VARIABLES, ROOT, environment
from tests.support.timeout import TIMEOUT_S

WRONG_USE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Result of a command."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, object]]:
        """Its stdout as one JSON value for each line."""
        return [json.loads(line) for line in self.out.splitlines()]


Ask = Callable[..., Answer]


@pytest.fixture
def ask(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> Ask:
    """Run `cribwars` with these arguments in this process, in a home of its own."""
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    for name in OWN_VARIABLES:
        monkeypatch.delenv(name, raising=False)

    def answer(*arguments: str, stdin: bytes = b"") -> Answer:
        monkeypatch.setattr(sys, "argv", ["cribwars", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code: object = 0
        try:
            main.main()
        except SystemExit as ended:
            code = ended.code or 0
        assert isinstance(code, int)
        said = capsysbinary.readouterr()
        return Answer(code=code, out=said.out.decode(), err=said.err.decode())

    return answer


def run_command(folder: Path, *arguments: str, stdin: bytes = b"", **variables: str) -> Answer:
    """Run `cribwars` with these arguments in a process of its own, as a user does."""
    done = subprocess.run(
        [sys.executable, *MAIN, *arguments],
        input=stdin,
        capture_output=True,
        cwd=ROOT,
        env=environment(folder, **variables),
        timeout=TIMEOUT_S,
        check=False,
    )
    return Answer(code=done.returncode, out=done.stdout.decode(), err=done.stderr.decode())


def assert_refused(answer: Answer, words: str) -> None:
    """Assert exit 2, an empty stdout, and one line with these words on stderr, no traceback."""
    assert (WRONG_USE, "") == (answer.code, answer.out)
    assert words in answer.err
    assert {"cribwars"} == {line.partition(":")[0] for line in answer.err.splitlines()}
