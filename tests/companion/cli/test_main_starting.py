"""Start of the program under bad conditions: closed streams, an early Ctrl-C."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.limits import TIMEOUT_S
from tests.support.program import MAIN, ROOT, environment


@pytest.mark.parametrize(
    "arguments",
    [
        ("config",),
        ("doctor", "--json"),
        ("board", "check", "classic"),
        ("lights", "test", "--leds", "3", "--pattern", "index", "--frames", "1", "--dump", "-"),
        ("--help",),
    ],
)
@pytest.mark.parametrize("streams", [(1,), (0, 1, 2)])
@pytest.mark.program
def test_a_stream_that_is_closed_is_no_fault(
    tmp_path: Path, arguments: tuple[str, ...], streams: tuple[int, ...]
) -> None:
    """`cribwars config >&-` works, and prints nothing."""
    closing = " ".join(f"{stream}>&-" for stream in streams)
    done = subprocess.run(
        ["/bin/sh", "-c", f'"$@" {closing}', "sh", sys.executable, *MAIN, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd=ROOT,
        env=environment(tmp_path),
        timeout=TIMEOUT_S,
        check=False,
    )
    assert (0, b"") == (done.returncode, done.stdout)
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr


INTERRUPTED = """
import os, runpy, signal, sys
signal.signal(signal.SIGINT, getattr(signal, sys.argv.pop(1)))

class Interrupts:
    def find_spec(self, name, *_):
        if name == "companion.rules.game":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupts())
runpy.run_module("companion", run_name="__main__", alter_sys=True)
"""


@pytest.mark.parametrize(
    ("arguments", "language", "handler", "ending"),
    [
        (("board", "check", "classic"), "C", "default_int_handler", (-signal.SIGINT, b"")),
        (("board", "check", "classic"), "fr", "default_int_handler", (-signal.SIGINT, b"")),
        (("nonsense",), "C", "default_int_handler", (130, b"")),
        (("board", "check", "classic"), "C", "SIG_IGN", (0, b"classic: sound\n")),
    ],
)
@pytest.mark.program
def test_ctrl_c_before_it_has_begun_ends_it_without_a_word(
    tmp_path: Path,
    arguments: tuple[str, ...],
    language: str,
    handler: str,
    ending: tuple[int, bytes],
) -> None:
    """This holds during imports; a parent that ignores it is obeyed."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, handler, *arguments],
        capture_output=True,
        cwd=ROOT,
        env=environment(tmp_path, LANG=language),
        timeout=TIMEOUT_S,
        check=False,
    )
    assert (*ending, b"") == (done.returncode, done.stdout, done.stderr)
