#include "clock.h"

uint32_t clock_ms;
uint16_t clock_counted;

void clock_begin(void)
{
    TCCR1B = _BV(CS11) | _BV(CS10);
}

void clock_advance(uint8_t ms)
{
    clock_counted += ms * (uint16_t)TIMER_PER_MS;
    clock_ms += ms;
}

uint8_t clock_catch_up(void)
{
    uint8_t elapsed = 0;
    while (clock_is_due()) {
        clock_advance(1);
        elapsed++;
    }
    return elapsed;
}
