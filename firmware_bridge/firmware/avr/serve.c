#include "serve.h"

#include "clock.h"
#include "keys.h"
#include "pins.h"
#include "session.h"
#include "uart.h"
#include "watchdog.h"

static void sample(uint8_t elapsed)
{
    keys_advance(elapsed);
    for (uint8_t group = 0; group < GROUPS; group++) {
        uart_poll();
        keys_sample(group, pins_down(group));
    }
    uart_poll();
}

bool serve_time(void)
{
    if (!clock_is_due())
        return false;
    uint8_t elapsed = clock_catch_up();
    watchdog_advance(elapsed);
    sample(elapsed);
    return true;
}

void serve(void)
{
    watchdog_reset();
    uart_poll();
    if (serve_time())
        session_send();
}
