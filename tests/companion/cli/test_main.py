"""The commands by their contract: stdout, stderr and the exit codes."""

import json
import os
import re
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from subprocess import DEVNULL, PIPE, CompletedProcess
from typing import IO
from xml.etree import ElementTree as ET

import pytest

from companion.board import describe, load_board
from tests.support.limits import TIMEOUT_S
from tests.support.program import (
    MAIN,
    ROOT,
    WRONG_USE,
    Answer,
    Ask,
    ask,
    assert_refused,
    environment,
    run_command,
)

__all__ = ["ask"]

PEG = '{"peg": {"team": 1, "points": 6}}\n'
Stream = int | IO[bytes]


def run(
    home: Path, command: list[str], out: Stream = PIPE, err: Stream = PIPE, **variables: str
) -> CompletedProcess[bytes]:
    """Run a command in this home with these streams and variables, and nothing to read."""
    return subprocess.run(
        command,
        stdin=DEVNULL,
        stdout=out,
        stderr=err,
        cwd=ROOT,
        env=environment(home, **variables),
        timeout=TIMEOUT_S,
        check=False,
    )


def replay_into(folder: Path, out: IO[bytes]) -> tuple[int, str]:
    """Return exit code and stderr of a short replay with this stdout."""
    game = folder / "game.jsonl"
    game.write_text(PEG)
    done = run(folder, [sys.executable, *MAIN, "replay", str(game)], out)
    return done.returncode, done.stderr.decode()


# cribwars replay


def test_replay_answers_a_file_line_by_line(ask: Ask, tmp_path: Path) -> None:
    """Each line gets a reply; a bad one gets error and rule, and it goes on."""
    file = tmp_path / "game.jsonl"
    file.write_text(PEG + "{}\n" + '{"peg": {"team": 1, "points": 30}}\n\n' + PEG)
    answer = ask("replay", str(file))
    first, bad, refused, last = answer.lines
    keys = ["events", "teams", "dealer", "hand", "winner", "match"]
    assert (0, "", keys) == (answer.code, answer.err, list(first))
    assert (["error", "rule"], None) == (list(bad), bad["rule"])
    assert (["error", "rule"], "S5") == (list(refused), refused["rule"])
    assert '"front":12' in json.dumps(last["teams"], separators=(",", ":"))


def test_replay_reads_stdin(ask: Ask) -> None:
    """A dash is stdin; an empty game has no replies."""
    assert 1 == len(ask("replay", "-", stdin=PEG.encode()).lines)
    assert "" == ask("replay", "-").out


def test_replay_answers_each_line_before_the_next(tmp_path: Path) -> None:
    """A program may hold a dialogue, as replies come while stdin is open."""
    with subprocess.Popen(
        [sys.executable, *MAIN, "replay", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env=environment(tmp_path),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for front in (6, 12):
            process.stdin.write(PEG.encode())
            process.stdin.flush()
            assert front == json.loads(process.stdout.readline())["teams"]["1"]["front"]
        process.stdin.close()
        assert 0 == process.wait(TIMEOUT_S)


def test_replay_of_three_sides_and_of_partners(ask: Ask) -> None:
    """--teams gives the sides, by default two; --players the players (T1)."""
    three = ask("replay", "--teams", "3", "-", stdin=PEG.encode()).lines[0]
    assert ["1", "2", "3"] == list(three["teams"])  # type: ignore[call-overload]  # an object
    seat_four = b'{"deal": {"dealer": 4}}\n'
    assert "error" in ask("replay", "-", stdin=seat_four).lines[0]
    four = ask("replay", "--players", "4", "-", stdin=seat_four).lines[0]
    assert (4, 2) == (four["dealer"], four["events"][0]["team"])  # type: ignore[index]  # a list


def test_replay_by_other_rules(ask: Ask) -> None:
    """A preset has its board; --set changes a rule, --board the board."""
    end = b'{"peg": {"team": 1, "points": 29}}\n' * 5
    classic = ask("replay", "--preset", "classic-121", "-", stdin=end).lines
    assert (1, 121) == (classic[4]["winner"], classic[4]["teams"]["1"]["front"])  # type: ignore[index]  # an object
    short = ("--preset", "lurch", "--set", "game_to=61")
    for points, games in ((1, 2), (2, 1)):
        loser = b'{"peg": {"team": 2, "points": 29}}\n{"peg": {"team": 2, "points": %d}}\n' % points
        won = ask("replay", *short, "-", stdin=loser + end).lines[4]
        assert games == won["match"]["games"]["1"]  # type: ignore[index]  # an object
    exact = ask("replay", "--board", "classic", "--set", "finish=exact", "-", stdin=end).lines
    assert "forfeited" == exact[4]["events"][-1]["kind"]  # type: ignore[index]  # a list


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--teams", "4"), "4 is not in the range"),
        (("--players", "3"), "3 players cannot be 2 sides: 2 sides take 2 or 4"),
        (("--set", "fnish=exact"), "no house rule 'fnish': did you mean 'finish'?"),
        (("--set", "finish"), "write it as RULE=VALUE"),
        (("--board", "classic-61", "--set", "skunk=91"), "skunk cannot be 'below 91': the game"),
        (("--preset", "cribwars"), "no preset 'cribwars': did you mean 'crib-wars'?"),
        (("--board", "clasic"), "did you mean 'classic'"),
    ],
)
def test_replay_refuses_wrong_use(ask: Ask, arguments: tuple[str, ...], words: str) -> None:
    """One line on stderr has the fault, its place and the remedy; nothing is played."""
    assert_refused(ask("replay", *arguments, "-", stdin=PEG.encode()), words)


def test_replay_of_what_cannot_be_read(ask: Ask, tmp_path: Path) -> None:
    """A missing file and a folder are refused."""
    assert_refused(ask("replay", str(tmp_path / "none")), "none cannot be read (No such file")
    assert_refused(ask("replay", str(tmp_path)), "cannot be read (Is a directory)")
    assert_refused(ask("replay"), "Missing argument 'FILE'")


BROKEN_LINES = (
    b"\xff\xfe",
    b'{"peg": ' + b"[" * 200_000,
    '{"pég": {}}'.encode(),
    b'{"\\ud800": {}}',
    b'{"peg": {"team": 1, "points": 1e400}}',
    b'{"deal": {"dealer": 99999999999999999999999999}}',
    b"\0",
)


def test_no_line_breaks_replay(tmp_path: Path) -> None:
    """A faulty line is one error in UTF-8 in every locale, and the replay goes on."""
    game = b"\n".join((*BROKEN_LINES, PEG.encode()))
    answer = run_command(tmp_path, "replay", "-", stdin=game, PYTHONIOENCODING="ascii")
    *bad, good = answer.lines
    assert (0, "") == (answer.code, answer.err)
    assert [["error", "rule"]] * len(BROKEN_LINES) == [list(line) for line in bad]
    assert "events" in good


def test_a_full_disk_is_said_in_a_line(tmp_path: Path) -> None:
    """An unwritable output is wrong use, with a remedy and without a traceback."""
    with Path("/dev/full").open("wb") as full:
        code, said = replay_into(tmp_path, full)
    assert (WRONG_USE, 1) == (code, len(said.splitlines()))
    assert "cribwars: reading or writing failed ([Errno 28] No space left" in said


def test_a_reader_that_has_gone_is_nothing_to_say(tmp_path: Path) -> None:
    """`cribwars replay FILE | head` is quiet."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        _, said = replay_into(tmp_path, pipe)
    assert "" == said


def test_an_error_that_nobody_reads_has_its_exit_status(tmp_path: Path) -> None:
    """`cribwars nonsense 2>&1 | true` is wrong use."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        done = run(tmp_path, [sys.executable, *MAIN, "nonsense"], err=pipe)
    assert WRONG_USE == done.returncode


# cribwars board


def test_board_show_is_one_json_value(ask: Ask) -> None:
    """It is only the description of the board."""
    answer = ask("board", "show", "classic", "--json")
    assert (0, "") == (answer.code, answer.err)
    assert [json.loads(json.dumps(describe(load_board("classic"))))] == answer.lines


def test_board_show_in_words(ask: Ask) -> None:
    """Without --json it is a text for people."""
    out = ask("board", "show", "crib-wars").out
    assert "363 holes, 3 lanes" in out.splitlines()[0]
    assert 13 == len(out.splitlines())


def test_board_check_tells_every_fault_and_a_verdict(ask: Ask, tmp_path: Path) -> None:
    """A sound board gives exit 0, others exit 1 and all faults with remedies."""
    for name in ("crib-wars", "classic"):
        assert Answer(code=0, out=f"{name}: sound\n", err="") == ask("board", "check", name)
    file = tmp_path / "mine.toml"
    file.write_text('bord = 1\nfinish = "far"\n')
    answer = ask("board", "check", str(file))
    assert (1, "") == (answer.code, answer.err)
    *faults, verdict = answer.out.splitlines()
    assert len(faults) > 1
    assert verdict == f"{file}: {len(faults)} faults: mend them, then check it again"
    assert {True} == {fault.startswith(f"{file}: ") for fault in faults}
    assert_refused(ask("board", "show", str(file), "--json"), "mine.toml")
    assert_refused(ask("board", "show", "clasic"), "did you mean 'classic'")


@pytest.mark.parametrize(
    ("name", "width", "height"), [("crib-wars", 594, 420), ("classic", 420, 297)]
)
def test_board_print_is_the_sheet_at_its_true_size(
    ask: Ask, tmp_path: Path, name: str, width: int, height: int
) -> None:
    """Width, height and drawing units are the sheet's millimetres."""
    file = tmp_path / "sheet.svg"
    assert Answer(code=0, out="", err="") == ask("board", "print", name, "--svg", str(file))
    sheet = ET.fromstring(file.read_text())  # noqa: S314  # our own
    size = [f"{width}mm", f"{height}mm", f"0 0 {width} {height}"]
    assert size == [sheet.get(key) for key in ("width", "height", "viewBox")]
    assert file.read_text() == ask("board", "print", name, "--svg", "-").out.rstrip("\n")
    assert_refused(ask("board", "print", name, "--svg", str(tmp_path)), "cannot be written")
    assert_refused(ask("board", "print", name), "Missing option '--svg'")


# cribwars config


def test_config_prints_all_that_is_in_force(ask: Ask, tmp_path: Path) -> None:
    """It is valid TOML with origins; the usual file needs no option."""
    usual = tmp_path / ".config" / "cribwars" / "cribwars.toml"
    usual.parent.mkdir(parents=True)
    usual.write_text("teams = 3\n")
    answer = ask("config")
    printed = tomllib.loads(answer.out)
    assert (0, "", 3) == (answer.code, answer.err, printed["teams"])
    assert {"board", "teams", "rules", "strip", "wiring", "panel", "web", "demo"} <= set(printed)
    assert {"driver", "type", "order", "budget_ma"} <= set(printed["strip"])
    assert {"pins", "actions"} <= set(printed["panel"])
    assert f"teams = 3  # {usual}" in answer.out
    unset = [line for line in answer.out.splitlines() if " = " in line and "  # " not in line]
    assert [] == unset
    other = tmp_path / "other.toml"
    other.write_text("")
    assert "teams = 2  # default" in ask("config", "--config", str(other)).out
    assert tomllib.loads(ask("config", "--defaults").out)["demo"] == printed["demo"]


def test_config_tells_all_faults_together(ask: Ask, tmp_path: Path) -> None:
    """It exits 2 with a line for each, with file and key."""
    file = tmp_path / "bad.toml"
    file.write_text("teams = 7\nbord = 1\n")
    answer = ask("config", "--config", str(file))
    assert_refused(answer, f"{file}: teams: cannot be 7")
    assert f"{file}: bord: there is no such setting; did you mean 'board'?" in answer.err


# The first call, and wrong use of the whole


def test_cribwars_alone_says_where_to_begin(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """It names commands that exist, in the language of the terminal."""
    answer = ask()
    title, *steps = answer.out.splitlines()
    first = "  cribwars run --simulate        Play now in the browser, without a board."
    assert (0, "", "Where to begin:", first) == (answer.code, answer.err, title, steps[0])
    for step in steps:
        assert 0 == ask(step.split()[1], "--help").code
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    assert "Par où commencer:" == ask().out.splitlines()[0]


def test_no_command_and_a_wrong_one(ask: Ask) -> None:
    """They exit 2 and name the help; a request for help is right use."""
    assert_refused(ask("bogus"), "No such command 'bogus'")
    assert_refused(ask("board"), "give a command: cribwars board --help lists them")
    assert_refused(ask("run", "--prot", "8"), "'--port'? (see cribwars run --help)")
    assert (0, "") == (ask("--help").code, ask("--help").err)
    assert f"Documents, such as docs/care.md, are in:\n  {ROOT}\n" in ask("--help").out
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*\n", ask("--version").out)


# Start of the program under bad conditions: closed streams, an early Ctrl-C


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
    command = ["/bin/sh", "-c", f'"$@" {closing}', "sh", sys.executable, *MAIN, *arguments]
    done = run(tmp_path, command)
    assert (0, b"") == (done.returncode, done.stdout)
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr


@pytest.mark.program
def test_a_clone_without_its_packages_says_what_to_do(tmp_path: Path) -> None:
    """One sentence names the first missing package."""
    words = [sys.executable, "-S", "-m", "companion", "run", "--simulate"]
    done = subprocess.run(
        words, cwd=ROOT, env=environment(tmp_path), stderr=PIPE, text=True, check=False
    )
    line = f"cribwars: {sys.executable} has no package click: run `make demo` instead\n"
    assert (1, line) == (done.returncode, done.stderr)


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
    done = run(tmp_path, [sys.executable, "-c", INTERRUPTED, handler, *arguments], LANG=language)
    assert (*ending, b"") == (done.returncode, done.stdout, done.stderr)
