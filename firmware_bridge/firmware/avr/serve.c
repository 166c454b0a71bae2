#include "serve.h"

#include "clock.h"
#include "keys.h"
#include "pins.h"
#include "session.h"
#include "uart.h"
#include "watchdog.h"

static void look(uint8_t elapsed)
{
    keys_pass(elapsed);
    for (uint8_t eight = 0; eight < EIGHTS; eight++) {
        uart_poll();
        keys_look(eight, pins_down(eight));
    }
    uart_poll();
}

bool serve_time(void)
{
    if (!clock_is_due())
        return false;
    uint8_t elapsed = clock_catch_up();
    watchdog_pass(elapsed);
    look(elapsed);
    return true;
}

void serve(void)
{
    watchdog_reset();
    uart_poll();
    if (serve_time())
        session_speak();
}
