#!/usr/bin/python3
"""Tells the time to the Pi itself, as a time server of the network does: `ntp 1900000000`."""

import socket
import struct
import sys

SINCE_1900 = 2_208_988_800
SERVER, STRATUM, MICROSECOND = 0x24, 1, -20

with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
    line.bind(("127.0.0.1", 123))
    now = struct.pack(">II", int(sys.argv[1]) + SINCE_1900, 0)
    while True:
        asked, client = line.recvfrom(512)
        head = struct.pack(">BBbbII4s", SERVER, STRATUM, 4, MICROSECOND, 0, 0, b"TEST")
        line.sendto(head + now + asked[40:48] + now + now, client)
