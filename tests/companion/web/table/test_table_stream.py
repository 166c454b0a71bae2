"""Streams: the events that a page gets, their size, and their end."""

import asyncio
import json
import re
from itertools import pairwise
from typing import get_type_hints

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.web.http.connection import STREAMS
from companion.web.server import make_application
from companion.web.table import table_responses
from companion.web.table.news import TableNews, TableStream
from companion.web.table.table_stream import Streams, Viewer
from tests.companion.web.client import Listener, rebuilt, send
from tests.support.real_table import RealTable, at_table, entry
from tests.support.scenes import run_by

Shown = NDArray[np.uint8]
Frame = dict[int, tuple[int, int, int]]
frames = st.integers(0, 40).flatmap(
    lambda leds: st.lists(
        arrays.arrays(np.uint8, (leds, 3), elements=st.integers(0, 2)), min_size=1, max_size=6
    )
)


async def told(table: RealTable) -> TableNews:
    """Return the news of a table."""
    return table.services.table.news("en")


NEWS = at_table(told)


def whole(frame: Shown) -> Frame:
    """Return a frame, LED by LED."""
    return {led: (int(c[0]), int(c[1]), int(c[2])) for led, c in enumerate(frame)}


def data_of(text: bytes, name: str) -> list[str]:
    """Return the data of each sent event of this name."""
    events = [event.splitlines() for event in text.decode().split("\n\n") if event]
    return [lines[-1].removeprefix("data: ") for lines in events if lines[0] == f"event: {name}"]


@given(frames)
def test_differences_rebuild_every_frame(shown: list[Shown]) -> None:
    """The first frame is full, and each difference leads exactly to the next frame."""
    viewer = Viewer()
    seen: Frame = {}
    for number, frame in enumerate(shown):
        text = viewer.catch_up(NEWS, (), number, frame)
        sent = data_of(text, "frame")
        if number == 0:
            assert len(sent) == 1
            assert whole(frame) == rebuilt({}, sent[0])
        for data in sent:
            seen = rebuilt(seen, data)
        assert whole(frame) == seen


@given(frames)
def test_only_changed_leds_are_sent(shown: list[Shown]) -> None:
    """A difference has only the changed LEDs; without any nothing is sent."""
    viewer = Viewer()
    viewer.catch_up(NEWS, (), 0, shown[0])
    for number, (before, after) in enumerate(pairwise(shown), start=1):
        sent = data_of(viewer.catch_up(NEWS, (), number, after), "frame")
        old, new = whole(before), whole(after)
        changed = {led: colour for led, colour in new.items() if colour != old[led]}
        assert ([changed] if changed else []) == [rebuilt({}, data) for data in sent]


def test_a_frame_of_another_length_is_full() -> None:
    """A frame of a strip of another length is sent whole."""
    viewer = Viewer()
    viewer.catch_up(NEWS, (), 1, np.ones((3, 3), np.uint8))
    text = viewer.catch_up(NEWS, (), 2, np.ones((2, 3), np.uint8))
    assert {0: (1, 1, 1), 1: (1, 1, 1)} == rebuilt({}, data_of(text, "frame")[0])


def test_news_are_reported_once() -> None:
    """Equal news are not repeated."""
    viewer = Viewer()
    dark = np.zeros((1, 3), np.uint8)
    first = viewer.catch_up(replace(NEWS, notices=["a"]), (), 1, dark)
    assert b"event: news\ndata: " in first
    assert viewer.catch_up(replace(NEWS, notices=["a"]), (), 1, dark) == b""
    later = viewer.catch_up(replace(NEWS, notices=["line\nbreak"]), (), 1, dark)
    assert ["line\nbreak"] == json.loads(data_of(later, "news")[0])["notices"]


def accepted(seq: int) -> table_responses.EntryResponse:
    """Return an accepted command with this number."""
    return entry(seq, "")


def ids(text: bytes) -> list[str]:
    """Return the ids of the entries in a text."""
    return re.findall(r"event: entry\nid: (\S+)\n", text.decode())


def test_a_stream_goes_on_after_the_last_entry_that_the_page_knows() -> None:
    """No remembered entry is missed or repeated; another run's id and a wrong one are ignored."""
    dark = np.zeros((1, 3), np.uint8)
    entries = [accepted(seq) for seq in range(10, 121)]
    firsts = {"now.0.117": 118, "now.0.120": 121, "now.0.125": 121, "now.0.1": 10}
    others = ("", "before.0.17", "now.0.x", "now.0.\u0661", "9" * 65, "now.0." + "9" * 5000)
    for last, first in (firsts | dict.fromkeys(others, 21)).items():
        viewer = Viewer("now", last)
        expected = [f"now.0.{seq}" for seq in range(first, 121)]
        assert expected == ids(viewer.catch_up(NEWS, entries, 1, dark))
        assert [] == ids(viewer.catch_up(NEWS, entries, 1, dark))
        assert ["now.0.121"] == ids(viewer.catch_up(NEWS, [*entries, accepted(121)][-5:], 1, dark))


def test_lines_are_told_anew_with_other_names() -> None:
    """After a change of names, open pages and those that come back get the lines again."""
    dark = np.zeros((1, 3), np.uint8)
    viewer, entries = Viewer("now"), [accepted(1), accepted(2)]
    assert ["now.0.1", "now.0.2"] == ids(viewer.catch_up(NEWS, entries, 1, dark))
    changed = replace(NEWS, settings=1)
    for page in (viewer, Viewer("now", "now.0.2")):
        assert ["now.1.1", "now.1.2"] == ids(page.catch_up(changed, entries, 1, dark))
        assert [] == ids(page.catch_up(changed, entries, 1, dark))


def test_entries_between_two_looks_are_all_reported() -> None:
    """A slow page gets each entry, however many were accepted meanwhile."""
    dark = np.zeros((1, 3), np.uint8)
    viewer = Viewer("now")
    assert [] == ids(viewer.catch_up(NEWS, [], 1, dark))
    entries = [accepted(seq) for seq in range(1, 41)]
    assert [f"now.0.{seq}" for seq in range(1, 41)] == ids(viewer.catch_up(NEWS, entries, 1, dark))


@pytest.mark.parametrize("way", ["header", "query"])
@run_by(at_table)
async def test_a_page_comes_back_with_the_id_it_knows(real_table: RealTable, way: str) -> None:
    """The browser sends it by itself, or it is in the address of a reopened stream."""
    app = real_table.app
    real_table.accept(accepted(1), accepted(2))
    first = Listener(app)
    await first.named("entry")
    last = await first.id_of("entry")
    await first.leave()
    real_table.accept(accepted(3))
    more = {"after": last} if way == "query" else {}
    back = Listener(app, more, last_event_id="" if way == "query" else last)
    number = json.loads(await back.named("entry"))["seq"]
    await back.leave()
    assert ("2", 3) == (last.rpartition(".")[2], number)


@run_by(at_table)
async def test_a_stream_begins_with_everything_and_goes_on_with_changes(
    real_table: RealTable,
) -> None:
    """A page gets its number, the news and a full frame, then changes."""
    real_table.light({})
    real_table.tell(seq=7)
    page = Listener(real_table.app)
    first = [await page.next() or ("", "") for _ in range(3)]
    assert json.loads(first[1][1])["seq"] == 7
    full = rebuilt({}, await page.named("frame"))
    real_table.light({(1, 7): (9, 8, 7)})
    change = rebuilt({}, await page.named("frame"))
    real_table.tell(seq=1)
    reported = json.loads(await page.named("news"))["table"]["seq"]
    await page.leave()
    assert real_table.watchers == 0
    assert ["retry", "hello", "news"] == [name for name, _ in first]
    assert {(0, 0, 0)} == set(full.values())
    assert list(range(len(full))) == list(full)
    assert [(9, 8, 7)] == list(change.values())
    assert reported == 1


@run_by(at_table)
async def test_events_are_of_the_types_that_are_described(real_table: RealTable) -> None:
    """This holds for each event in each mode, and with dealt cards, as nothing checks it."""
    types = get_type_hints(TableStream)
    seen = set()
    for held in (0, 0.1, 5.1, 8.1, 2.1):
        if held:
            real_table.lit.table.tap("mode", held=held)
        else:
            real_table.peg(1, 9)
            await real_table.deal()
        page = Listener(real_table.app)
        name = ""
        while name != "beat":
            name, data = await page.next() or ("beat", "")
            seen.add(name)
            if name not in ("retry", "frame"):
                msgspec.json.decode(data, type=types[name])
        await page.leave()
    assert {"retry", *types} - {"goodbye"} == seen


@run_by(at_table)
async def test_a_slow_reader_gets_the_newest_frame_in_one_piece(real_table: RealTable) -> None:
    """A slow page misses frames, and the table never waits for it."""
    real_table.light({})
    page = Listener(real_table.app)
    seen = rebuilt({}, await page.named("frame"))
    page.reading.clear()
    for n in range(1, 200):
        real_table.light({(1, 1 + n % 100): (n, 0, 0)})
    page.reading.set()
    sent = []
    while seen != whole(real_table.lit.broadcast.frame[1]):
        sent.append(await page.named("frame"))
        seen = rebuilt(seen, sent[-1])
    await page.leave()
    assert [1] == [len(rebuilt({}, data)) for data in sent]


@pytest.mark.parametrize(("restarts", "data"), [(0, "{}"), (1, '{"restarts":true}')])
@run_by(at_table)
async def test_a_closing_table_says_goodbye_to_all(
    real_table: RealTable, restarts: int, data: str
) -> None:
    """Every stream ends with a goodbye that says if the table comes back; no new one opens."""
    app = real_table.app
    pages = [Listener(app) for _ in range(3)]
    for page in pages:
        await page.named("beat")
    real_table.shutdown.restart = bool(restarts)
    real_table.closing.set()
    ends = [await page.next() for page in pages] + [await page.next() for page in pages]
    await asyncio.gather(*(page.task for page in pages))
    assert (await send(app, "GET", "/api/stream")).status_code == 503
    assert real_table.watchers == 0
    assert [("goodbye", data)] * 3 + [None] * 3 == ends


@run_by(at_table)
async def test_a_closing_table_does_not_wait_for_who_does_not_read(real_table: RealTable) -> None:
    """A page that reads nothing gets no goodbye."""
    page = Listener(real_table.app)
    await page.named("frame")
    page.reading.clear()
    real_table.tell(seq=1)
    real_table.closing.set()
    await page.task
    assert real_table.watchers == 0


@run_by(at_table)
async def test_streams_are_limited_and_places_come_free(real_table: RealTable) -> None:
    """Above the limit a page gets 503, until another one leaves."""
    app = real_table.app
    pages = [Listener(app) for _ in range(STREAMS.own)]
    for page in pages:
        await page.named("frame")
    refused = (await send(app, "GET", "/api/stream")).status_code
    await pages[0].leave()
    late = Listener(app)
    await late.named("frame")
    for page in (*pages[1:], late):
        await page.leave()
    assert (503, 200) == (refused, late.status)


@run_by(at_table)
async def test_nobody_takes_all_the_places(real_table: RealTable) -> None:
    """Another address gets only a few streams, and this machine always gets one."""
    strangers = STREAMS.others
    app = real_table.app
    far = [Listener(app, client="192.168.1.9") for _ in range(STREAMS.share + 1)]
    others = [Listener(app, client=f"10.0.0.{n}") for n in range(strangers)]
    for listener in (*far, *others):
        await listener.next()
    near = Listener(app)
    await near.named("hello")
    statuses = [listener.status for listener in far]
    open_afar = sum(listener.status == 200 for listener in (*far, *others))
    for listener in (*far, *others, near):
        await listener.leave()
    assert ([200] * STREAMS.share + [503], strangers, 200) == (statuses, open_afar, near.status)


@pytest.mark.parametrize("stirred", [False, True])
@run_by(at_table)
async def test_a_stream_without_news_beats(real_table: RealTable, stirred: bool) -> None:
    """A beat follows the first news and each silence, even if unchanged frames come."""
    streams = Streams(real_table.services.table, left=lambda _: None, beat_s=0.1)
    app = make_application(
        [streams], language=lambda: "en", clock=real_table.lit.table.clock, statuses={}
    )
    page = Listener(app)
    await page.named("frame")

    async def stir() -> None:
        while stirred:
            real_table.lit.broadcast.notify()
            await asyncio.sleep(0)

    stirring = asyncio.create_task(stir())
    beats = [await page.named("beat") for _ in range(3)]
    stirring.cancel()
    await page.leave()
    assert ["{}"] * 3 == beats


@run_by(at_table)
async def test_a_question_about_the_stream_opens_none(real_table: RealTable) -> None:
    """HEAD is answered at once and opens no stream."""
    answer = await send(real_table.app, "HEAD", "/api/stream")
    assert (200, 0) == (answer.status_code, real_table.watchers)
