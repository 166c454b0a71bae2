"""The services of a table behind the page, over real files and without hardware."""

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from companion.board import Board
from companion.devices.assembly import assemble
from companion.devices.live_settings import LiveSettings
from companion.settings.file import SettingsFile
from companion.settings.load import load_settings
from companion.settings.probation import TakenBack
from companion.toml.values import Value
from companion.web.records.record_service import REPLAY_IDLE_TIMEOUT_S, RecordsService
from companion.web.settings.settings_service import SettingsService
from companion.worker import Workers
from tests.companion.table.bench import Bench
from tests.support.bare_lights import LookedAt

_NOTHING: Mapping[str, Value] = MappingProxyType({})


def live_settings(given: Mapping[str, Value] = _NOTHING) -> LiveSettings:
    """Return the live settings of a table that was started with these on the command line."""
    settings = load_settings(None, given)
    return LiveSettings(settings, assemble(settings))


def change(live: LiveSettings, given: Mapping[str, Value]) -> None:
    """Put in force what acts at once of these settings."""
    live.take_over(live.after(load_settings(None, given)))


class Services:
    """Services for the recorded games and the settings in a folder, beside the table of a bench.

    Args:
        folder: of the journal and of `cribwars.toml`; None if nothing is kept.
        board: lies on the table, as far as records are concerned.
        overrides: settings from the command line.
    """

    def __init__(
        self,
        folder: Path | None,
        board: Board,
        *,
        bench: Bench | None = None,
        overrides: Mapping[str, Value] = _NOTHING,
        taken_back: TakenBack | None = None,
        idle_timeout_s: float = REPLAY_IDLE_TIMEOUT_S,
    ) -> None:
        self.bench = bench or Bench()
        self.looked = LookedAt(self.bench)
        self.restarts = 0
        self.seen = 0
        self.file = folder / "cribwars.toml" if folder else None
        settings = load_settings(self.file, overrides, required=False)
        self.live = LiveSettings(settings, replace(assemble(settings), board=board))
        self._workers = Workers()
        self.records = RecordsService(
            folder,
            self.live,
            self.bench.table,
            self._workers.records,
            calendar=time.time,
            settings_file=self.file,
            idle_timeout_s=idle_timeout_s,
        )
        self.settings = SettingsService(
            SettingsFile(self.file, overrides, check=assemble) if self.file else None,
            self.live,
            self.looked.lights,
            data=folder,
            clock=self.bench.table.clock,
            calendar=time.time,
            restart=self._restart,
            port=lambda: 8000,
            disk=self._workers.disk,
            doctor=self._workers.parts,
            seen=self._note_seen,
            taken_back=taken_back,
        )

    def close(self) -> None:
        """End their threads."""
        self.records.close()
        self.settings.close()
        self._workers.close()

    def _restart(self) -> None:
        self.restarts += 1

    def _note_seen(self) -> None:
        self.seen += 1
