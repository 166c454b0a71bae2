/* Pins of the buttons: active low, with pull-ups. See ../README.md. */

#ifndef PINS_H
#define PINS_H

#include "board.h"

#if defined(__AVR_ATmega328P__)

static inline void pins_begin(void)
{
    PORTB |= 0x1E;
    PORTC |= 0x3F;
    PORTD |= 0xFC;
}

/* Buttons 0 to 5 are pins 2 to 7; 6 to 9 are pins 9 to 12; 10 to 15 are pins A0 to A5. */
static inline uint8_t pins_in(uint8_t group, uint8_t b, uint8_t c, uint8_t d)
{
    return group ? ~((b >> 3 & 0x03) | c << 2) : ~(d >> 2 | (b << 5 & 0xC0));
}

/* Read a group of eight buttons. */
static inline uint8_t pins_down(uint8_t group)
{
    return pins_in(group, PINB, PINC, PIND);
}

/* Read a group of eight buttons from a sample of shift.S. */
static inline uint8_t pins_sampled(uint8_t group, const uint8_t sample[SAMPLE_BYTES])
{
    return pins_in(group, sample[0], sample[1], sample[2]);
}

#elif defined(__AVR_ATmega2560__)

static inline void pins_begin(void)
{
    PORTA = PORTC = PORTF = PORTK = 0xFF;
}

/* Buttons 0 to 7 are pins 22 to 29; 8 to 15 are pins 37 down to 30; 16 to 31 are pins A0 to A15. */
static inline uint8_t pins_down(uint8_t group)
{
    switch (group) {
    case 0:
        return ~PINA;
    case 1:
        return ~PINC;
    case 2:
        return ~PINF;
    default:
        return ~PINK;
    }
}

static inline uint8_t pins_sampled(uint8_t group, const uint8_t sample[SAMPLE_BYTES])
{
    return ~sample[group];
}

#endif

#endif
