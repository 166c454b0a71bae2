"""The services of a table behind the page, over real files and without hardware."""

import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from companion.board import Board
from companion.devices.assembly import assemble
from companion.settings.file import SettingsFile
from companion.settings.last_good import Rejected
from companion.settings.load import load_settings
from companion.toml.text import Value
from companion.web.records.service import REPLAY_IDLE_TIMEOUT_S, RecordsService
from companion.web.settings.service import SettingsService
from tests.companion.table.bench import Bench
from tests.support.bare_lights import LookedAt

NAMES = {1: "Amber", 2: "White", 3: "Magenta"}
_NOTHING: Mapping[str, Value] = MappingProxyType({})


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
        rejected: Rejected | None = None,
        idle_timeout_s: float = REPLAY_IDLE_TIMEOUT_S,
    ) -> None:
        self.bench = bench or Bench()
        self.looked = LookedAt(self.bench)
        self.restarts = 0
        self.is_busy = False
        self.file = folder / "cribwars.toml" if folder else None
        has_file = self.file is not None and self.file.exists()
        settings = load_settings(self.file if has_file else None, overrides)
        self.records = RecordsService(
            folder,
            board,
            settings,
            NAMES,
            self.bench.table,
            calendar=time.time,
            settings_file=self.file,
            idle_timeout_s=idle_timeout_s,
        )
        self.settings = SettingsService(
            SettingsFile(self.file, overrides, check=assemble) if self.file else None,
            settings,
            self.looked.lights,
            data=folder,
            clock=self.bench.table.clock,
            calendar=time.time,
            restart=self._restart,
            port=lambda: 8000,
            rejected=rejected,
            is_busy=lambda: self.is_busy,
            set_brightness=self.bench.table.set_brightness,
        )

    def close(self) -> None:
        """End their threads."""
        self.records.close()
        self.settings.close()

    def _restart(self) -> None:
        self.restarts += 1
