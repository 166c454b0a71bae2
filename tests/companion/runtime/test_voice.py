"""The voice of a running table: present if wanted and possible, else absent."""

import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.runtime.voice import NO_VOICE, open_voice
from tests.companion.commentary.test_speech import Speaker
from tests.companion.table.bench import Bench, at_table
from tests.support.services import change, live_settings


@pytest.mark.parametrize(
    ("voice", "demo", "notice"),
    [("short", True, NO_VOICE), ("off", True, None), ("off", False, None)],
)
def test_a_machine_without_a_speech_program(
    voice: str, demo: bool, notice: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only those who asked for a voice in games get a notice."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with ExitStack() as opened:
        live = live_settings({"voice": voice, "demo": {"voice": demo}})
        assert notice == open_voice(live, Bench().table, opened)


def test_a_count_is_spoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes from a press to the loudspeaker, by the present settings."""
    speaker = Speaker(tmp_path)
    Path(speaker.program).rename(tmp_path / "espeak-ng")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    live = live_settings({"voice": "full", "language": "fr"})

    async def play(bench: Bench) -> None:
        await bench.press("1.plus_one", "1.enter")
        await bench.answer()
        assert ["-v", "fr", "--", "Ambre compte un, jusqu'à 1."] == speaker.heard()[1]
        change(live, {"voice": "full", "language": "en", "names": {"1": "Anna"}})
        await bench.press("1.plus_five", "1.enter")
        await bench.answer()
        assert ["-v", "en", "--", "Anna counts five, to 6."] == speaker.heard()[1]
        change(live, {"demo": {"voice": False}})
        assert "voice" not in {thread.name for thread in threading.enumerate()}

    bench = Bench()
    with ExitStack() as opened:
        assert open_voice(live, bench.table, opened) is None
        at_table(bench, play)
