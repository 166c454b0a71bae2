#include "uart.h"

#include "counters.h"

#if F_CPU % (16UL * BAUD)
#error "the chip's clock does not divide to this baud rate"
#endif

uint8_t uart_ring[RING_SIZE];

void uart_begin(void)
{
    uart_head = uart_tail = 0;
    UBRR0 = F_CPU / (16UL * BAUD) - 1;
    /* A boot loader may have set the double speed. */
    UCSR0A = 0;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0);
}

/* Bytes that do not fit into the ring buffer stay in the chip, which flags overruns. */
uint8_t uart_poll(void)
{
    uint8_t count = uart_count();
    uint8_t status;

    while ((status = UCSR0A) & _BV(RXC0) && count < RING_SIZE) {
        if (status & _BV(DOR0))
            counters.overruns++;
        uart_ring[uart_head & RING_MASK] = UDR0;
        uart_head++;
        count++;
    }
    return count;
}
