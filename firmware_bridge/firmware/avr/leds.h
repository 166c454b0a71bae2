/* The strip: its pixel buffer, and the sending of this buffer. */

#ifndef LEDS_H
#define LEDS_H

#include "board.h"

/* Bytes in the order of the wire. */
extern uint8_t leds_bytes[PIXEL_BYTES];

/* Number of bytes of the whole strip, and of each LED. */
extern uint16_t leds_length;
extern uint8_t leds_colours;

void leds_begin(void);

/* Set every `every`-th LED, from the first on, to `led` and the others to dark; 0 sets all to dark. */
void leds_fill(const uint8_t *led, uint8_t every);

/* Send the buffer: 10 us a byte. Serial line and buttons are polled meanwhile. */
void leds_show(void);

/* shift.S: send `count` bytes, at least one, and sample the buttons' ports meanwhile. Returns the
 * number of overruns of the serial line. */
uint8_t leds_shift(const uint8_t *bytes, uint16_t count, uint8_t *samples);

#endif
