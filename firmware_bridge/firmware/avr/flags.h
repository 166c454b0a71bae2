/* Flags in a general purpose I/O register, which takes no memory and few cycles. Only the file named
 * beside a flag writes the flag. */

#ifndef FLAGS_H
#define FLAGS_H

#include <avr/io.h>
#include <stdint.h>

enum { NEW, GREETED, READY };

struct flags {
    uint8_t state : 2;        /* session.c */
    uint8_t pong_is_due : 1;  /* session.c */
    uint8_t has_base : 1;     /* pixels.c: the buffer holds a valid frame */
    uint8_t is_shown : 1;     /* pixels.c: the strip shows the buffer */
    uint8_t is_expired : 1;   /* watchdog.c */
    uint8_t is_truncated : 1; /* message.c: the last KEYS had no room for all events */
};

#define flags (*(volatile struct flags *)&GPIOR0)

#endif
