/* The serial line, polled into a ring buffer without interrupts.
 *
 * The chip buffers two bytes and the byte that is arriving. At 1 Mbaud uart_poll() must be called
 * every 320 cycles, so longer code calls it in between. shift.S polls within its bits. */

#ifndef UART_H
#define UART_H

#include <stdbool.h>

#include "board.h"

#define RING_MASK (RING_SIZE - 1)

extern uint8_t uart_ring[RING_SIZE];

/* Free-running indices: their difference is the number of bytes in the ring. General purpose I/O
 * registers save memory and time. */
#define uart_head GPIOR1
#define uart_tail GPIOR2

void uart_begin(void);

/* Move received bytes to the ring and return the number of bytes in it. */
uint8_t uart_poll(void);

static inline uint8_t uart_count(void)
{
    return uart_head - uart_tail;
}

/* Return the byte at `offset` after the oldest one, which must exist. */
__attribute__((always_inline)) static inline uint8_t uart_peek(uint8_t offset)
{
    return uart_ring[(uint8_t)(uart_tail + offset) & RING_MASK];
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
