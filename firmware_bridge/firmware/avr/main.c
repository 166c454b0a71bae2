/* A board at the end of a cable: it shows what the host says and tells of its buttons. */

#include "boot.h"
#include "clock.h"
#include "counters.h"
#include "frame.h"
#include "keys.h"
#include "leds.h"
#include "picture.h"
#include "pins.h"
#include "serve.h"
#include "session.h"
#include "uart.h"
#include "watchdog.h"

struct counters counters;

static void begin(void)
{
    pins_begin();
    leds_begin();
    clock_begin();
    watchdog_begin();
    boot_begin();
    uart_begin();
    /* Whatever hangs on the line, and whatever it still shows of another life. */
    picture_set_up(PIXEL_BYTES, 3);
    leds_show();
    keys_forget();
}

__attribute__((OS_main)) int main(void)
{
    begin();
    for (;;) {
        serve();
        if (watchdog_is_due())
            session_bite();
        else if (frame_begins())
            session_receive();
    }
}
