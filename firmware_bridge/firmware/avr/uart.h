/* The serial line, by polling: a ring for what arrives, no interrupts.
 *
 * The chip keeps two bytes and the one that is coming in. At 1 Mbaud uart_poll() is due every 320
 * cycles; whoever works longer calls it in between. shift.S does the same within its bits. */

#ifndef UART_H
#define UART_H

#include <stdbool.h>

#include "board.h"

#define RING_MASK (RING_SIZE - 1)

extern uint8_t uart_ring[RING_SIZE];

/* Both indices run freely: their difference is the number of bytes in the ring. They are in general
 * purpose registers of the chip, which saves memory and time. */
#define uart_head GPIOR1
#define uart_tail GPIOR2

void uart_begin(void);

/* Take what the chip has; how many bytes are in the ring. */
uint8_t uart_poll(void);

static inline uint8_t uart_count(void)
{
    return uart_head - uart_tail;
}

/* The byte so many behind the oldest one; the caller knows that it is there. */
__attribute__((always_inline)) static inline uint8_t uart_peek(uint8_t behind)
{
    return uart_ring[(uint8_t)(uart_tail + behind) & RING_MASK];
}

__attribute__((always_inline)) static inline uint8_t uart_take(void)
{
    uint8_t byte = uart_peek(0);
    uart_tail++;
    return byte;
}

static inline void uart_drop(uint8_t bytes)
{
    uart_tail += bytes;
}

static inline bool uart_may_send(void)
{
    return UCSR0A & _BV(UDRE0);
}

#endif
