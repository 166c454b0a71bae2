/* Main program: a strip and buttons for a host at a serial cable. */

#include "boot.h"
#include "clock.h"
#include "counters.h"
#include "frame.h"
#include "keys.h"
#include "leds.h"
#include "pixels.h"
#include "pins.h"
#include "serve.h"
#include "session.h"
#include "uart.h"
#include "watchdog.h"

struct counters counters;

static void begin(void)
{
    /* A boot loader may have used the register. */
    GPIOR0 = 0;
    pins_begin();
    leds_begin();
    clock_begin();
    watchdog_begin();
    boot_begin();
    uart_begin();
    /* Darken whatever the strip still shows. */
    pixels_set_up(PIXEL_BYTES, 3);
    leds_show();
    keys_forget();
}

__attribute__((OS_main)) int main(void)
{
    begin();
    for (;;) {
        serve();
        if (watchdog_is_due())
            session_watchdog();
        else if (frame_begins())
            session_receive();
    }
}
