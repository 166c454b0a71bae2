/* Writing of the pixel buffer: PIXELS, FILL and the safe pattern.
 *
 * The content of the buffer is called a base while the host knows it. */

#ifndef PIXELS_H
#define PIXELS_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

/* Set the length of the strip and drop the base. */
void pixels_set_up(uint16_t length, uint8_t colours);

/* Receive the payload of PIXELS, and show the buffer if the message is a latch. `refused` is a reason
 * to refuse the message, or NO_REASON. Returns the reason of a NAK, or NO_REASON. */
enum reason pixels_receive(enum reason refused);

/* Handle FILL with the bytes of one LED. */
void pixels_fill(const uint8_t *led);

/* Light every `every`-th LED from the first on, or none if `every` is 0, and drop the base. */
void pixels_show_pattern(const uint8_t *led, uint8_t every);

/* True if the board holds a base and the strip shows it. */
bool pixels_is_shown(void);

#endif
