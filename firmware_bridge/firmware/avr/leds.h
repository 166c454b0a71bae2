/* The strip: one buffer, which is what the wire gets, and the showing of it. */

#ifndef LEDS_H
#define LEDS_H

#include "board.h"

/* The bytes in the order of the wire; the strip itself keeps the last frame shown. */
extern uint8_t leds_bytes[PIXEL_BYTES];

/* Bytes of the strip that is set up, and of each of its LEDs. */
extern uint16_t leds_length;
extern uint8_t leds_colours;

void leds_begin(void);

/* Make every so manieth LED, from the first, like the one given, the others dark; 0 for none. */
void leds_fill(const uint8_t *led, uint8_t every);

/* Shift the buffer out: 10 us a byte. Serial line and buttons are looked at meanwhile. */
void leds_show(void);

/* shift.S: so many bytes, at least one, onto the line, with looks at the buttons' ports meanwhile; how
 * many times the serial line lost bytes. */
uint8_t leds_shift(const uint8_t *bytes, uint16_t count, uint8_t *looks);

#endif
