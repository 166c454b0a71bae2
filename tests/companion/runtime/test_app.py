"""`cribwars run`: refused starts, and start and end of the real program."""

import json
import re
import socket
from pathlib import Path

import pytest

from tests.support.program import HTTP, Ask, ask, assert_refused, running

__all__ = ["ask"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--strip", "bogus"), 'driver = "bogus": there is no such driver'),
        (("--board", "clasic"), "did you mean 'classic'"),
        (("--teams", "1"), "1 is not in the range"),
        (("--port", "99999"), "99999 is not in the range"),
        (("--data", "/dev/null/data"), "nothing can be written in /dev/null/data"),
        (("--config", "/gone.toml"), "/gone.toml: cannot be read"),
        (("--hold", "made"), 'there is no button made; did you mean "mode"?'),
    ],
)
def test_run_refuses_what_cannot_start(
    ask: Ask, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    """It exits 2 with a line that names the setting, without a ready line or traceback."""
    data = () if "--data" in arguments else ("--data", str(tmp_path / "data"))
    port = () if "--port" in arguments else ("--port", "0")
    assert_refused(ask("run", "--simulate", *data, *port, *arguments), words)


def test_a_board_with_faults_is_reported_whole(ask: Ask, tmp_path: Path) -> None:
    """There is a line for each fault of the file, and exit 2."""
    file = tmp_path / "mine.toml"
    file.write_text('bord = 1\nfinish = "far"\n')
    answer = ask("run", "--simulate", "--port", "0", "--board", str(file))
    assert_refused(answer, f"{file}: ")
    assert len(answer.err.splitlines()) > 1


def test_a_port_in_use_is_refused(ask: Ask, tmp_path: Path) -> None:
    """The line gives the remedy: another port, or one that is picked."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        answer = ask("run", "--simulate", "--port", port, "--data", str(tmp_path / "data"))
    assert_refused(answer, f"cannot serve on 127.0.0.1 port {port}: another program uses this port")
    assert "--port 0" in answer.err


# Running


def test_run_says_ready_and_answers_as_the_contract_says(tmp_path: Path) -> None:
    """Stdout has only the ready line; the table has every key; SIGTERM gives exit 0."""
    with running(tmp_path) as program:
        assert re.fullmatch(r"ready http://127\.0\.0\.1:[1-9]\d*/\n", program.ready)
        table = program.table()
        assert ["seq", "teams", "dealer", "hand", "winner"] == list(table)
        keys = {"front", "back", "boxed", "folded", "pending", "progress"}
        assert [keys] * 2 == [set(side) for side in table["teams"].values()]
        program.press("1.plus_five", "1.plus_one")
        assert (6, 0) == (program.table()["teams"]["1"]["pending"], program.table()["seq"])
        program.press("1.enter")
        after = program.until(1)
        assert (1, 6) == (after["seq"], after["teams"]["1"]["front"])
        assert (0, "") == program.stop()
        assert "cribwars: mock panel: simulated, as asked\n" == program.stderr


@pytest.mark.program
def test_mode_held_at_power_on_tests_the_buttons(tmp_path: Path) -> None:
    """Other buttons enter nothing until Mode returns to the game."""
    with running(tmp_path, "--hold", "mode") as program:
        testing = {"state": "button-test"}
        assert testing == next(program.news())["mode"]
        program.press("1.plus_one", "2.enter", "deal")
        assert testing == next(program.news())["mode"]
        program.press("mode", "1.plus_one")
        assert next(program.news())["mode"] is None
        assert (1, 0) == (program.table()["teams"]["1"]["pending"], program.table()["seq"])
        assert (0, "") == program.stop()


def hold(url: str, button: str) -> None:
    """Press a mock button down, as the board page does."""
    run = HTTP.get(f"{url}api/about").json()["run"]
    taps = {"pad": "p" * 22, "run": run, "first": 1, "taps": [{"button": button, "down": True}]}
    assert 200 == HTTP.post(f"{url}api/taps", json=taps).status_code


@pytest.mark.program
def test_press_is_refused_as_the_contract_says(tmp_path: Path) -> None:
    """A button that is down gives 409, an unknown one 400, another site's page 403."""
    with running(tmp_path) as program:
        press = f"{program.url}api/press"
        hold(program.url, "deal")
        assert 409 == HTTP.post(press, json={"button": "deal"}).status_code
        assert 400 == HTTP.post(press, json={"button": "dael"}).status_code
        foreign = {"Origin": "http://elsewhere.example"}
        assert 403 == HTTP.post(press, json={"button": "mode"}, headers=foreign).status_code
        assert (0, "") == program.stop()


@pytest.mark.program
def test_without_gpio_it_falls_back_and_says_so(tmp_path: Path) -> None:
    """Without pins there is the mock panel, a line on stderr, and nothing on stdout."""
    with running(tmp_path, simulate=False) as program:
        assert 200 == HTTP.get(f"{program.url}api/table").status_code
        assert program.press("1.plus_one")["teams"]["1"]["pending"] == 1
        assert (0, "") == program.stop()
        assert program.stderr.startswith("cribwars: mock panel: no GPIO here (")
        assert 1 == len(program.stderr.splitlines())


def test_sigterm_says_goodbye_to_pages(tmp_path: Path) -> None:
    """A stream gets a goodbye and ends; a pressed button is released; exit 0."""
    with running(tmp_path) as program:
        hold(program.url, "mode")
        with HTTP.stream("GET", f"{program.url}api/stream") as stream:
            lines = stream.iter_lines()
            assert any(line == "event: news" for line in lines)
            program.terminate()
            assert ["event: goodbye", "data: {}"] == [line for line in lines if line][-2:]
        assert (0, "") == program.ended()
        assert "Traceback" not in program.stderr


@pytest.mark.program
def test_a_second_table_on_the_same_data_is_refused(tmp_path: Path, ask: Ask) -> None:
    """A folder belongs to one table, and the first one goes on."""
    with running(tmp_path) as program:
        answer = ask("run", "--simulate", "--port", "0", "--data", str(tmp_path / "data"))
        assert_refused(answer, f"another table runs in {tmp_path / 'data'}")
        assert 0 == program.table()["seq"]
        assert (0, "") == program.stop()


@pytest.mark.program
def test_a_journal_that_cannot_be_read_is_reported_and_kept(tmp_path: Path) -> None:
    """The table restarts; stderr and every page name the place of the old file."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "journal.sqlite").write_bytes(b"no journal at all" * 100)
    with running(tmp_path) as program:
        with HTTP.stream("GET", f"{program.url}api/stream") as stream:
            line = next(line for line in stream.iter_lines() if "notices" in line)
            (notice,) = json.loads(line.removeprefix("data: "))["notices"]
        (aside,) = (tmp_path / "data").glob("journal-damaged*.sqlite")
        assert aside.name in notice
        assert f"cribwars: {notice}" in program.stderr.splitlines()
        assert (0, "") == program.stop()


@pytest.mark.program
def test_look_alike_colours_are_warned_of(tmp_path: Path) -> None:
    """The table runs; stderr names two sides that some eyes confuse."""
    settings = tmp_path / "cribwars.toml"
    settings.write_text('[lights.colours]\n"2" = "#ffb000"\n')
    with running(tmp_path, "--config", str(settings)) as program:
        assert "Amber (#ffb000) and Amber (#ffb000) look alike" in program.stderr
        assert (0, "") == program.stop()
