/* Milliseconds since the start, from a timer that runs by itself: a long show loses no time. */

#ifndef CLOCK_H
#define CLOCK_H

#include "board.h"

/* The timer counts every 4 us and goes round in 262 ms, longer than any show. */
#define TIMER_PER_MS (F_CPU / 64 / 1000)

extern uint32_t clock_ms;
extern uint16_t clock_counted;

void clock_begin(void);

/* Add to the clock so much of the time that the timer has counted. */
void clock_pass(uint8_t ms);

/* Whole milliseconds that have not been added to the clock yet; adds them. */
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
