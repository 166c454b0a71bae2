#include "leds.h"

#include "clock.h"
#include "counters.h"
#include "keys.h"
#include "pins.h"
#include "scratch.h"
#include "serve.h"
#include "uart.h"

/* Time for which the line must be low until the LEDs show the bytes: 300 us in counts of the timer. */
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

static void handle_sample(const uint8_t sample[SAMPLE_BYTES])
{
    clock_advance(MS_PER_SAMPLE);
    keys_advance(MS_PER_SAMPLE);
    for (uint8_t group = 0; group < GROUPS; group++) {
        uart_poll();
        keys_sample(group, pins_sampled(group, sample));
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
        counters.overruns += leds_shift(leds_bytes, bytes, scratch.samples[0]);
    for (uint8_t i = 0; bytes >= BYTES_PER_SAMPLE; bytes -= BYTES_PER_SAMPLE)
        handle_sample(scratch.samples[i++]);
    serve_time();
}
