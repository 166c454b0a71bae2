"""What the board is to the computer that it is plugged into. It runs once, after power or reset.

* A second serial port, `data`, is the companion's; nothing but PROTOCOL.md goes over it. The first
  one stays the console, for whoever looks for a fault.
* Keyboard, mouse and MIDI are off: nothing here needs them, and on chips with few USB endpoints
  there would be none left for the second port.
* The drive CIRCUITPY stays the computer's to write, so that a new firmware can be copied onto it
  at any time. The board itself writes nothing to it: two writers would ruin it.
"""

import storage
import usb_cdc
import usb_hid
import usb_midi

usb_hid.disable()
usb_midi.disable()
usb_cdc.enable(console=True, data=True)
storage.remount("/", readonly=True)
