"""The page beside the running table: served until the table stops."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import click

from companion.config import Settings
from companion.desk import TableDesk


async def serve_page(
    settings: Settings,
    desk: TableDesk,
    *,
    data: Path | None,
    notice: Callable[[str], None],
    stop: asyncio.Event,
) -> None:
    """Serve the page until `stop`.

    Args:
        settings: where it listens, and by which names.
        desk: the table that it shows.
        data: the folder in which the phones that were let in are kept.
        notice: is given lines to show on the page.
        stop: ends it.

    Raises:
        BadInputError: the address cannot be had.
    """
    # Late, so that the board is lit before any of this is imported.
    from companion.phones import load_pairing  # noqa: PLC0415
    from companion.web.addresses import addresses  # noqa: PLC0415
    from companion.web.app import make_app  # noqa: PLC0415
    from companion.web.serve import serve  # noqa: PLC0415

    host = settings.text("web", "host")
    ports: list[int] = []

    def ready(port: int) -> None:
        ports.append(port)
        click.echo(f"ready http://127.0.0.1:{port}/")

    app = make_app(
        desk,
        hosts=frozenset(settings.texts("web", "hosts")),
        pairing=load_pairing(data, notice),
        told=lambda line: click.echo(f"cribwars: {line}", err=True),
        pages=lambda: addresses(host, ports[0]) if ports else (),
    )
    port = int(settings.number("web", "port"))
    ending = asyncio.create_task(_close_on(stop, desk))
    await serve(app, host=host, port=port, on_ready=ready, stop=stop)
    ending.cancel()


async def _close_on(stop: asyncio.Event, desk: TableDesk) -> None:
    await stop.wait()
    desk.closing.set()
