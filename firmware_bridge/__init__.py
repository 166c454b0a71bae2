"""Strip and buttons of a microcontroller at a serial cable: protocol, drivers and firmware.

`protocol.link.Link` is the host's end of the protocol in `firmware/PROTOCOL.md`, without I/O.
"""
