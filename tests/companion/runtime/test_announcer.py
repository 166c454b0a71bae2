"""The voice of a game at its levels, in the table's language, for acknowledged commands."""

import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.commentary import load_phrases
from companion.lights.scene.tour import SIGN_S
from companion.rules.game import Peg, SetPegs
from companion.runtime.voice import NO_VOICE, Announcer, VoiceLevel, open_voice
from tests.companion.commentary.test_speech import Speaker
from tests.companion.table.bench import Bench, at_table
from tests.support.services import change, live_settings

NAMES = {1: "Amber", 2: "White"}


def said(level: VoiceLevel, *, language: str = "en") -> list[str]:
    """Return the spoken lines of a count, a slide, an undo and the win."""
    lines: list[str] = []
    bench = Bench(SetPegs(side=1, front=39, back=30), SetPegs(side=2, front=361, back=350))
    phrases = load_phrases(language)
    announcer = Announcer(bench.table, phrases, NAMES, level=level, say=lines.append)

    async def play(bench: Bench) -> None:
        for buttons in (
            ("1.plus_one", "1.enter"),
            ("1.plus_one", "1.plus_one", "1.enter"),
            ("1.undo",),
            ("2.plus_one", "2.plus_one", "2.enter"),
        ):
            before = len(lines)
            await bench.press(*buttons)
            assert before == len(lines)  # not on disk yet
            await bench.answer()
        announcer.close()
        await bench.press("2.undo")
        await bench.answer()

    at_table(bench, play)
    return [line for line in lines if line]


@pytest.mark.parametrize(
    ("level", "language", "lines"),
    [
        (VoiceLevel.OFF, "en", []),
        (VoiceLevel.SHORT, "en", ["Amber slides to 62.", "White wins."]),
        (VoiceLevel.SHORT, "fr", ["Ambre saute à 62.", "Blanc gagne."]),
        (
            VoiceLevel.FULL,
            "en",
            [
                "Amber counts one, to 40.",
                "Amber counts two, and slides to 62.",
                "Taken back: Amber counts two, and slides to 62.",
                "White counts two, and wins.",
            ],
        ),
    ],
)
def test_a_game_is_spoken(level: VoiceLevel, language: str, lines: list[str]) -> None:
    """The short level leaves out plain counts; the full one has all."""
    assert lines == said(level, language=language)


def test_a_tour_is_spoken_whatever_the_level() -> None:
    """Each sign is spoken once, when it is shown."""
    lines: list[str] = []
    bench = Bench(Peg(side=1, points=7))
    phrases = load_phrases("en")
    Announcer(bench.table, phrases, NAMES, level=VoiceLevel.OFF, say=lines.append)

    async def play(bench: Bench) -> None:
        await bench.press("mode", seconds=8.5)
        await bench.wait(SIGN_S)
        await bench.press("deal")

    at_table(bench, play)
    assert 2 == len(lines)
    assert phrases.say("signs.start")[1:] + "." == lines[0][1:]


# The voice


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
