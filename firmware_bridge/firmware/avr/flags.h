/* What the board knows in bits, in the register that the chip has for such: no memory, and quick.
 * Each is its owner's, who is named; nobody else writes it. */

#ifndef FLAGS_H
#define FLAGS_H

#include <avr/io.h>
#include <stdint.h>

enum { NEW, GREETED, READY };

struct flags {
    uint8_t state : 2;       /* session.c */
    uint8_t pong_is_due : 1; /* session.c */
    uint8_t has_base : 1;    /* picture.c: the buffer holds a frame that arrived right */
    uint8_t is_shown : 1;    /* picture.c: the strip shows what the buffer holds */
    uint8_t has_bitten : 1;  /* watchdog.c */
};

#define flags (*(volatile struct flags *)&GPIOR0)

#endif
