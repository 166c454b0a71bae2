#!/usr/bin/python3
"""Prints the bytes of each traced SPI transfer as hexadecimal digits, a line each.

It reads the pages of the kernel's ring buffer, because the readable trace shortens long transfers.
Their layout is that of <linux/ring_buffer.h>: a page has its time, its length and its events. The
low five bits of an event's head say how long it is, in words; 0 means that the length follows.
"""

import os
import re
import struct
from pathlib import Path

TRACING = Path("/sys/kernel/tracing")
PADDING, TIME_EXTEND, TIME_STAMP = 29, 30, 31
FORMAT = (TRACING / "events/spi/spi_transfer_start/format").read_text()
[NUMBER] = map(int, re.findall(r"ID: (\d+)", FORMAT))
[PLACE] = map(int, re.findall(r"tx_buf;\s*offset:(\d+)", FORMAT))

size = 1024 * int((TRACING / "buffer_subbuf_size_kb").read_text())
for buffer in sorted(TRACING.glob("per_cpu/cpu*/trace_pipe_raw")):
    file = os.open(buffer, os.O_RDONLY | os.O_NONBLOCK)
    while True:
        try:
            page = os.read(file, size)
        except BlockingIOError:
            break
        if not page:
            break
        end = 16 + (struct.unpack_from("<Q", page, 8)[0] & 0xFFFFF)
        at = 16
        while at < end:
            kind = struct.unpack_from("<I", page, at)[0] & 31
            if kind in {TIME_EXTEND, TIME_STAMP}:
                at += 8
                continue
            start, length = at + 4, 4 * kind
            if kind == PADDING:
                break
            if kind == 0:
                start, length = at + 8, struct.unpack_from("<I", page, at + 4)[0]
            record = page[start : at + 4 + length]
            if struct.unpack_from("<H", record)[0] == NUMBER:
                place = struct.unpack_from("<I", record, PLACE)[0]
                sent = record[place & 0xFFFF :][: place >> 16]
                print(sent.hex())
            at += 4 + length
