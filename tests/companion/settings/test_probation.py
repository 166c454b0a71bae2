"""The way back from changed settings: the steps of a start."""

from pathlib import Path

from companion.errors import NO_TEXT, Text, as_text
from companion.settings.file import SettingsFile
from companion.settings.probation import (
    Probation,
    StartStep,
    TakenBack,
    attempt_of,
    load_probation,
    step_of,
    take_back,
)

NEW = Probation(before="teams = 3\n", after="new")


def test_what_a_start_does() -> None:
    """Content without a probation, as after a cut during its writing, is kept."""
    attempted = Probation(before=None, after="new", attempted=True)
    for probation, stamp, step in (
        (None, "new", StartStep.START),
        (NEW, "new", StartStep.ATTEMPT),
        (attempted, "new", StartStep.TAKE_BACK),
        (attempted, "old", StartStep.START),
        (NEW, "", StartStep.START),
    ):
        assert step is step_of(probation, stamp)


def page_of(tmp_path: Path) -> SettingsFile:
    """Return a page's file with an earlier change that acted at once."""
    page = SettingsFile(tmp_path / "cribwars.toml", {}, check=lambda _: None)
    page.change({"names.1": "Anna"})
    assert load_probation(page.file) is None
    return page


def attempted(page: SettingsFile) -> Probation:
    """Return the probation that the second of two starts finds."""
    assert StartStep.ATTEMPT is attempt_of(page.file)[0]
    step, probation = attempt_of(page.file)
    assert StartStep.TAKE_BACK is step
    assert probation
    return probation


def test_a_change_is_taken_back_as_a_whole(tmp_path: Path) -> None:
    """Changes before a start are one; those that act at once stay, secrets are hidden."""
    page = page_of(tmp_path)
    page.change({"teams": 3, "names.3": "Cleo"})
    page.change({"night.password": "secret"})
    page.change({"lights.calm": True})
    taken = take_back(page.file, attempted(page))
    values = as_text("teams = 3"), as_text("night.password = ***")
    assert TakenBack(reason=NO_TEXT, values=values) == taken
    used = page.read().settings
    assert (2, {"1": "Anna", "3": "Cleo"}, True) == (used.teams, used.names, used.lights.calm)
    assert load_probation(page.file) is None


def test_the_first_file_is_taken_back_too(tmp_path: Path) -> None:
    """A new board whose first settings fail has none again."""
    page = SettingsFile(tmp_path / "cribwars.toml", {}, check=lambda _: None)
    page.change({"teams": 3})
    take_back(page.file, attempted(page))
    assert [] == list(tmp_path.iterdir())


def test_a_value_that_was_taken_out_is_put_back(tmp_path: Path) -> None:
    """It is named, too."""
    page = page_of(tmp_path)
    page.change({"teams": 3})
    attempt_of(page.file)
    (tmp_path / "settings-of-page.probation.json").unlink()
    page.change({"teams": None})
    assert (Text("no {key}", key="teams"),) == take_back(page.file, attempted(page)).values
    assert 3 == page.read().settings.teams


def test_a_change_that_is_undone_before_a_start_needs_no_way_back(tmp_path: Path) -> None:
    """The file is as before."""
    page = page_of(tmp_path)
    page.change({"teams": 3})
    page.change({"teams": None})
    assert load_probation(page.file) is None


def test_a_probation_of_other_content_is_ended(tmp_path: Path) -> None:
    """A file that was edited by hand or restored is not changed."""
    page = page_of(tmp_path)
    page.change({"teams": 3})
    page.file.write_text("players = 4\n")
    assert StartStep.START is attempt_of(page.file)[0]
    assert load_probation(page.file) is None
