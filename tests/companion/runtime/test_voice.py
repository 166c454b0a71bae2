"""The voice of a running table: there if it is wanted and can be, silent about it otherwise."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.runtime.voice import NO_VOICE, open_voice
from companion.settings.load import load_settings
from tests.companion.commentary.test_speech import Speaker
from tests.companion.table.bench import Bench, at_table

NAMES = {1: "Amber", 2: "White"}


@pytest.mark.parametrize(
    ("voice", "demo", "notice"),
    [("short", True, NO_VOICE), ("off", True, None), ("off", False, None)],
)
def test_a_machine_without_a_speech_program(
    voice: str, demo: bool, notice: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only who asked for a voice in games is told that there is none."""
    monkeypatch.setenv("PATH", str(tmp_path))
    settings = load_settings(None, {"voice": voice, "demo": {"voice": demo}})
    with ExitStack() as opened:
        assert notice == open_voice(settings, Bench().table, NAMES, opened)


def test_a_count_is_spoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a press at the table to the loudspeaker, in the language of the settings."""
    speaker = Speaker(tmp_path)
    Path(speaker.program).rename(tmp_path / "espeak-ng")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    settings = load_settings(None, {"voice": "full", "language": "fr"})

    async def play(bench: Bench) -> None:
        await bench.press("1.plus_one", "1.enter")
        await bench.answer()

    bench = Bench()
    with ExitStack() as opened:
        assert open_voice(settings, bench.table, NAMES, opened) is None
        at_table(bench, play)
        assert ["-v", "fr", "--", "Ambre compte un, jusqu'à 1."] == speaker.heard()[1]
