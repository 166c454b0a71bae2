#include "watchdog.h"

#include <avr/io.h>

#include "counters.h"
#include "flags.h"

static uint16_t limit;
static uint16_t left;

/* When the watchdog has restarted the chip, it keeps running with a timeout of 15 ms. So it is
 * stopped before memory is zeroed and main() is called. */
__attribute__((naked, used, section(".init3"))) static void stop(void)
{
    MCUSR = 0;
    wdt_disable();
}

void watchdog_begin(void)
{
    wdt_enable(WDTO_500MS);
}

void watchdog_set(uint16_t ms)
{
    limit = ms;
    watchdog_feed();
}

void watchdog_feed(void)
{
    left = limit;
    flags.is_expired = false;
}

void watchdog_advance(uint8_t ms)
{
    left = left > ms ? left - ms : 0;
}

bool watchdog_is_due(void)
{
    return limit && !left && !flags.is_expired;
}

void watchdog_expire(void)
{
    flags.is_expired = true;
    counters.watchdog++;
}
