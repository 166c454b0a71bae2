"""A child process: `cribwars lights test` with more arguments, which is stopped after some frames.

After a number of lines of its dump it gets a SIGTERM; the rest of the dump is read to its end.
"""

import os
import signal
import sys
import tempfile
import threading
from pathlib import Path

from companion.cli.main import main

FRAMES = 3


def stop(dump: Path) -> None:
    """Read the dump, and ask to end after some frames."""
    with dump.open("rb") as lines:
        for n, _ in enumerate(lines, start=1):
            if n == FRAMES:
                os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        pipe = Path(folder, "dump")
        os.mkfifo(pipe)
        threading.Thread(target=stop, args=(pipe,)).start()
        sys.argv = ["cribwars", "lights", "test", *sys.argv[1:], "--dump", str(pipe)]
        main()
