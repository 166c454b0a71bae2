"""USB configuration of the board. CircuitPython runs this file once, after power-up or reset.

* A second serial port, `data`, carries the protocol with the companion. The first one remains
  CircuitPython's console, for diagnosis.
* HID and MIDI are off: chips with few USB endpoints need these endpoints for the second port.
* The drive CIRCUITPY is writable for the computer, so that new firmware can be copied onto it, and
  read-only for the board: two writers would corrupt it.
"""

import storage
import usb_cdc
import usb_hid
import usb_midi

usb_hid.disable()
usb_midi.disable()
usb_cdc.enable(console=True, data=True)
storage.remount("/", readonly=True)
