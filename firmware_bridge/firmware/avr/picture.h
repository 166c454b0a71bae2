/* The frame that the strip shows, or will: PIXELS, FILL and the safe pattern on one buffer.
 *
 * The board holds a base while the buffer is what the host believes it to be. */

#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

/* Another strip: there is no base. */
void picture_set_up(uint16_t length, uint8_t colours);

/* Receive what follows a header of PIXELS, and show it if it says so; NO_REASON if all is right.
 * `refused` is why the board does not want it. */
enum reason picture_receive(enum reason refused);

/* Do the FILL that has been received, with the bytes of one LED. */
void picture_fill(const uint8_t *led);

/* What the host did not ask for: every so manieth LED, or none. */
void picture_show_unasked(const uint8_t *led, uint8_t every);

/* The board holds a base, and the strip shows it. */
bool picture_is_shown(void);

#endif
