"""A fresh start that a page asks for: the same process, other settings, the same game."""

from __future__ import annotations

from pathlib import Path

import httpx

from tests.support.program import PATIENCE_S, Program, running


def run_of(program: Program) -> str:
    """The word for this run of the server."""
    return str(httpx.get(f"{program.url}api/about", timeout=PATIENCE_S).json()["run"])


def restart(program: Program) -> None:
    """Ask for a fresh start."""
    asked = {"run": run_of(program)}
    answer = httpx.post(f"{program.url}api/restart", json=asked, timeout=PATIENCE_S)
    assert 204 == answer.status_code


def test_what_comes_back_is_the_same_table_with_other_settings(tmp_path: Path) -> None:
    """One after the other on the same journal; each ready line tells where the page is."""
    settings = tmp_path / "cribwars.toml"
    settings.write_text("")
    with running(tmp_path, "--config", str(settings)) as program:
        runs = {run_of(program)}
        program.press("1.plus_five", "1.enter")
        before = program.until(1)
        for name in ("Anna", "Bert"):
            settings.write_text(f'[names]\n"1" = "{name}"\n')
            restart(program)
            program.started_again()
            runs.add(run_of(program))
            about = httpx.get(f"{program.url}api/about", timeout=PATIENCE_S).json()
            assert (name, before) == (about["teams"]["1"]["name"], program.table())
        assert 3 == len(runs)
        program.press("1.undo")
        assert 0 == program.until(2)["teams"]["1"]["front"]
        assert (0, "") == program.stop()
        assert "Traceback" not in program.stderr


def test_settings_of_which_nothing_can_be_made_end_it(tmp_path: Path) -> None:
    """As at any start: exit 2, and every fault on stderr. The page never writes such a file."""
    settings = tmp_path / "cribwars.toml"
    settings.write_text("")
    with running(tmp_path, "--config", str(settings)) as program:
        settings.write_text("teams = 9\n")
        restart(program)
        assert (2, "") == program.ended()
        assert f"cribwars: {settings}: teams: cannot be 9" in program.stderr
