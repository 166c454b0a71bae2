#include "leds.h"

#include "clock.h"
#include "counters.h"
#include "keys.h"
#include "pins.h"
#include "scratch.h"
#include "serve.h"
#include "uart.h"

/* How long the line must be low until the LEDs show what they have: 300 us in turns of the timer. */
#define LATCH_TIMER 76

union scratch scratch;

uint8_t leds_bytes[PIXEL_BYTES];
uint16_t leds_length;
uint8_t leds_colours;

void leds_begin(void)
{
    LED_DIRECTION |= _BV(LED_BIT);
}

void leds_fill(const uint8_t *led, uint8_t every)
{
    uint8_t until_lit = 1;
    uint8_t *byte = leds_bytes;
    const uint8_t *end = leds_bytes + leds_length;

    while (byte < end) {
        uart_poll();
        uint8_t is_lit = every && !--until_lit;
        if (is_lit)
            until_lit = every;
        for (uint8_t colour = 0; colour < leds_colours; colour++)
            *byte++ = is_lit ? led[colour] : 0;
    }
}

static void take_look(const uint8_t look[LOOK_BYTES])
{
    clock_pass(MS_PER_LOOK);
    keys_pass(MS_PER_LOOK);
    for (uint8_t eight = 0; eight < EIGHTS; eight++) {
        uart_poll();
        keys_look(eight, pins_down_then(eight, look));
    }
}

static void wait_for_the_latch(void)
{
    uint16_t since = clock_timer();
    while ((uint16_t)(clock_timer() - since) < LATCH_TIMER)
        uart_poll();
}

void leds_show(void)
{
    uint16_t bytes = leds_length;

    wait_for_the_latch();
    serve_time();
    if (bytes)
        counters.overruns += leds_shift(leds_bytes, bytes, scratch.looks[0]);
    for (uint8_t i = 0; bytes >= BYTES_PER_LOOK; bytes -= BYTES_PER_LOOK)
        take_look(scratch.looks[i++]);
    serve_time();
}
