"""Strip and buttons of a microcontroller at a serial cable: protocol, drivers and firmware.

`protocol.link.Link`, without I/O, is the host's end of `firmware_bridge/firmware/PROTOCOL.md`.
"""
