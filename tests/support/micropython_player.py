"""Plays a script with the board's protocol module, in MicroPython as in CPython.

A script is `{"pixel_bytes", "buttons", "boot", "steps"}`, a step `[now, edges, bytes]`, an edge
`[button, when, is_down]`. The result of a step is the board's messages and its lights. All bytes
are in hexadecimal.
"""

# ruff: noqa: ANN001, ANN201, D103  # MicroPython has no typing, and this file is for it too
# mypy: ignore-errors

import gc
import json
import sys
from binascii import hexlify, unhexlify

READ_AT_ONCE = 256


def step(board, now, edges, data):
    said, lights, at = b"", [], 0
    for button, when, is_down in edges:
        board.keys.edge(button, when, is_down=is_down)
    board.keys.settle(now)
    while True:
        room = board.read_buffer()
        count = min(len(room), len(data) - at, READ_AT_ONCE)
        room[:count] = data[at : at + count]
        at += count
        board.received(count, now)
        if board.due_pixels is not None:
            lights.append(hexlify(board.due_pixels).decode())
            board.shown(now)
        words = board.outgoing(now)
        said += bytes(words)
        board.sent(len(words))
        if not count:
            return [hexlify(said).decode(), lights]


def make(kind, script):
    return kind(
        pixel_bytes=script["pixel_bytes"],
        down=[False] * script["buttons"],
        boot=script["boot"],
        name="Raspberry Pi Pico",
        unique=b"12345678",
    )


def play(kind, script):
    board = make(kind, script)
    return [step(board, now, edges, unhexlify(data)) for now, edges, data in script["steps"]]


def cost(kind, script):
    """Bytes of memory that each step takes and leaves to be collected."""
    board = make(kind, script)
    costs = []
    for now, _, text in script["steps"]:
        data = memoryview(unhexlify(text))
        gc.collect()
        gc.disable()
        before, at = gc.mem_alloc(), 0
        while True:
            room = board.read_buffer()
            count = min(len(room), len(data) - at, READ_AT_ONCE)
            # What a port's readinto does costs nothing.
            cost_of_test = gc.mem_alloc()
            room[:count] = data[at : at + count]
            before += gc.mem_alloc() - cost_of_test
            at += count
            board.received(count, now)
            if board.due_pixels is not None:
                board.shown(now)
            words = board.outgoing(now)
            board.sent(len(words))
            if not count:
                break
        costs.append(gc.mem_alloc() - before)
        gc.enable()
    return costs


if sys.implementation.name == "micropython":
    sys.path.append("/lib")
    from cribwars_bridge import BoardEnd

    with open("/script.json") as file:  # noqa: PTH123  # there is no pathlib
        script = json.load(file)
    print(json.dumps({"play": play, "cost": cost}[script["what"]](BoardEnd, script)))  # noqa: T201
