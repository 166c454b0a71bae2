"""A short game into a real journal, telling each acknowledged command on stdout.

It runs as a process of its own, which may be killed at any moment: `python -m ... FOLDER`.
"""

import os
import queue
import sys
import time
from pathlib import Path

from companion.board import board_source, load_board
from companion.journal.setup import GameRequest
from companion.journal.writer import Journal
from companion.rules.game import Command, Deal, HouseRules, NewGame, Peg, Setup, Undo

COMMANDS: tuple[Command, ...] = (
    Peg(side=1, points=15),
    Peg(side=2, points=8),
    Peg(side=1, points=7),
    Undo(),
    Deal(),
    NewGame(sides=(1, 2, 3)),
    Peg(side=3, points=22),
)
"""A fold in a penalty box, taken back, a deal, and a new game with a third side."""


def begun() -> GameRequest:
    """Return a new game of two sides on the shipped board."""
    track = load_board("crib-wars").track
    return GameRequest(
        board_file=board_source("crib-wars"), setup=Setup.make(track, HouseRules(), sides=(1, 2))
    )


def main(folder: Path) -> None:
    """Play the game; write a line on stdout for each command that is on disk."""
    journal = Journal(folder, now=time.time)
    history, _ = journal.begin(begun())
    answers: queue.SimpleQueue[bool] = queue.SimpleQueue()
    for number, command in enumerate(COMMANDS, start=1):
        journal.write(history.do(command), answers.put)
        if answers.get():
            os.write(sys.stdout.fileno(), b"%d\n" % number)
    journal.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
