"""A port passed on over a socket, for the URLs of pyserial."""

import os
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from firmware_bridge.connection.serial_port import open_port


@contextmanager
def relay(device: str) -> Iterator[str]:
    """Yield a server that passes bytes between one caller and a port; its URL."""
    with socket.create_server(("127.0.0.1", 0)) as server, open_port(device, 500_000) as line:
        thread = threading.Thread(target=_pass_on, args=(server, line.fileno()), daemon=True)
        thread.start()
        yield f"socket://127.0.0.1:{server.getsockname()[1]}"
        thread.join()


def _pass_on(server: socket.socket, port: int) -> None:
    caller, _ = server.accept()
    with caller:
        while True:
            ready, _, _ = select.select([caller.fileno(), port], [], [])
            if port in ready:
                caller.sendall(os.read(port, 4096))
            if caller.fileno() in ready:
                data = caller.recv(4096)
                if not data:
                    return
                os.write(port, data)
