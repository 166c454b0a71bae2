/* Milliseconds since the start, from a hardware timer, which also runs while pixels are sent. */

#ifndef CLOCK_H
#define CLOCK_H

#include "board.h"

/* The timer counts every 4 us and wraps after 262 ms, longer than any show. */
#define TIMER_PER_MS (F_CPU / 64 / 1000)

extern uint32_t clock_ms;
extern uint16_t clock_counted;

void clock_begin(void);

/* Advance the clock by `ms` of the milliseconds that the timer has counted. */
void clock_advance(uint8_t ms);

/* Advance the clock by all whole milliseconds counted, and return their number. */
uint8_t clock_catch_up(void);

static inline uint16_t clock_timer(void)
{
    return TCNT1;
}

static inline uint8_t clock_is_due(void)
{
    return (uint16_t)(clock_timer() - clock_counted) >= TIMER_PER_MS;
}

#endif
