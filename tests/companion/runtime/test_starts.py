"""`cribwars run` with missing parts plays, reports them, and takes them when they come."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.program import HTTP, MAIN, ROOT, Program, environment, started

pytestmark = pytest.mark.program


@contextmanager
def unattended(home: Path, settings: str | None = "[web]\nport = 0\n") -> Iterator[Program]:
    """Run the table as a service does, with nothing on the command line."""
    file = home / ".config" / "cribwars" / "cribwars.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    if settings is not None:
        file.write_text(settings)
    with started(home, "run", "--simulate") as program:
        yield program


def wait_for(program: Program, *, notices: bool) -> list[str]:
    """Return the notices of the page once there are some, or no more."""
    news = (each for each in program.news() if "notices" in each)
    return list(next(each["notices"] for each in news if bool(each["notices"]) == notices))


def free_port() -> int:
    """Return a port that is free now."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def test_a_folder_that_comes_later(tmp_path: Path) -> None:
    """Until then counts are in memory, with an alert light; later they are saved."""
    (tmp_path / ".local").write_text("a file in the way")
    with unattended(tmp_path) as program:
        (notice,) = wait_for(program, notices=True)
        assert "nothing can be written in" in notice
        assert notice in program.stderr
        program.press("1.plus_five", "1.enter")
        assert any(not news["saved"] for news in program.news())
        (tmp_path / ".local").unlink()
        assert [] == wait_for(program, notices=False)
        assert any(news["saved"] for news in program.news())
        program.press("2.plus_one", "2.enter")
        before = program.until(2)
        assert (0, "") == program.stop()
    with unattended(tmp_path) as program:
        assert before == program.table()
        assert (0, "") == program.stop()


def test_a_game_that_comes_later(tmp_path: Path) -> None:
    """The game of an unreachable journal goes on later, unless another has begun."""
    with unattended(tmp_path) as program:
        program.press("1.plus_five", "1.enter")
        before = program.until(1)
        assert (0, "") == program.stop()
    (tmp_path / ".local").rename(tmp_path / "unplugged")
    (tmp_path / ".local").write_text("a file in the way")
    with unattended(tmp_path) as program:
        assert 0 == program.table()["seq"]
        (tmp_path / ".local").unlink()
        (tmp_path / "unplugged").rename(tmp_path / ".local")
        program.started_again()
        assert before == program.table()
        assert (0, "") == program.stop()


def test_a_port_that_becomes_free(tmp_path: Path) -> None:
    """The page uses another port at once, and the settings' port later."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = int(other.getsockname()[1])
        with unattended(tmp_path, f"[web]\nport = {port}\n") as program:
            assert f":{port}/" not in program.url
            (notice,) = wait_for(program, notices=True)
            assert f"until then the page is at {program.url}" in notice
            other.close()
            assert [] == wait_for(program, notices=False)
            wanted = HTTP.get(f"http://127.0.0.1:{port}/api/table")
            assert program.table() == wanted.json()
            assert (0, "") == program.stop()


def test_a_host_that_is_not_there(tmp_path: Path) -> None:
    """The page is at this machine's address and the settings' port."""
    port = free_port()
    with unattended(tmp_path, f'[web]\nhost = "192.0.2.7"\nport = {port}\n') as program:
        assert f"http://127.0.0.1:{port}/" == program.url
        (notice,) = wait_for(program, notices=True)
        assert "web.host" in notice
        doctor = HTTP.get(f"{program.url}api/doctor").json()
        assert any(notice.endswith(each["remedy"]) for each in doctor if each["level"] == "fix")
        assert (0, "") == program.stop()


@pytest.mark.parametrize(
    ("by_hand", "page", "faulty"),
    [
        ("teams = 9\n{}", "", "cribwars.toml: teams"),
        ("a." * 3000 + "b = 1", "{}", "cribwars.toml: has lists"),
        ("{}", "teams = = 2", "settings-of-page.toml: is not TOML"),
    ],
)
def test_settings_that_are_faulty(tmp_path: Path, by_hand: str, page: str, faulty: str) -> None:
    """All other values of both files hold, and the page can repair its own file."""
    rest = '[web]\nport = 0\n[names]\n"1" = "Ada"\n'
    file = tmp_path / ".config" / "cribwars" / "settings-of-page.toml"
    file.parent.mkdir(parents=True)
    file.write_text(page.format(rest))
    with unattended(tmp_path, by_hand.format(rest)) as program:
        about = HTTP.get(f"{program.url}api/about").json()
        assert "Ada" == about["teams"]["1"]["name"]
        (notice,) = wait_for(program, notices=True)
        assert notice.startswith(str(file.parent / faulty))
        form = HTTP.get(f"{program.url}api/settings").json()
        assert notice.startswith(form["faults"][0])
        body = {"changes": {"names.2": "Bo"}, "stamp": form["stamp"]}
        assert 200 == HTTP.post(f"{program.url}api/settings", json=body).status_code
        assert by_hand.format(rest) == file.with_name("cribwars.toml").read_text()
        assert (0, "") == program.stop()
        assert "Traceback" not in program.stderr


def test_a_strip_that_is_not_there(tmp_path: Path) -> None:
    """The table plays without it; one from the command line ends the start."""
    settings = (
        '[web]\nport = 0\n[strip]\ndriver = "adalight:/dev/ttyNONE7"\nbudget_ma = 9000\n'
        '[wiring]\nper = "hole"\n'
    )
    file = tmp_path / "cribwars.toml"
    file.write_text(settings)
    with started(tmp_path, "run", "--config", str(file)) as program:
        (notice,) = wait_for(program, notices=True)
        assert "/dev/ttyNONE7 is not there" in notice
        assert 1 == program.press("1.plus_one")["teams"]["1"]["pending"]
        assert (0, "") == program.stop()
    named = ["--strip", "adalight:/dev/ttyNONE7", "--config", str(file)]
    with started(tmp_path, "run", *named) as program:
        assert (2, "") == program.ended()


def test_names_that_are_not_ascii_in_an_ascii_locale(tmp_path: Path) -> None:
    """The doctor's findings on console and page are JSON in UTF-8."""
    home = tmp_path / "Zo\u00eb"
    home.mkdir()
    variables = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, *MAIN, "doctor", "--json"],
        env=environment(home, **variables),
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert str(home) in str(json.loads(done.stdout))
    with started(home, "run", "--simulate", "--port", "0", **variables) as program:
        answer = HTTP.get(f"{program.url}api/doctor")
        assert (200, True) == (answer.status_code, str(home) in answer.text)
        assert (0, "") == program.stop()


def test_names_that_are_no_text(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 are shown as replacement characters."""
    home = Path(os.fsdecode(os.fsencode(tmp_path) + b"/Zo\xeb"))
    home.mkdir()
    with started(home, "run", "--simulate", "--port", "0") as program:
        answer = HTTP.get(f"{program.url}api/doctor")
        assert (200, True) == (answer.status_code, "Zo\ufffd" in answer.text)
        assert (0, "") == program.stop()
