#include "keys.h"

#include "clock.h"
#include "counters.h"
#include "uart.h"

#define RESEND_MS 50

/* The low three bytes of the clock tell when an event was, if it is younger than four hours. */
struct event {
    uint8_t what;
    __uint24 when;
};

static struct event queue[KEY_PLACES];
uint8_t keys_first;
uint8_t keys_queued;
uint8_t keys_hold = 5;

static uint8_t until_resent;

/* Milliseconds between the last two looks. */
static uint8_t elapsed;

/* Eight buttons: their levels at the last look, what the events queued so far add up to, and the
 * edges that found no place in the queue. */
static struct eight {
    uint8_t seen;
    uint8_t reported;
    uint8_t missed;
} eights[EIGHTS];

/* How long each button's level has been so; 255 stands for more as well. */
static uint8_t held[BUTTONS];

void keys_pass(uint8_t ms)
{
    elapsed = ms;
    until_resent = until_resent > ms ? until_resent - ms : 0;
}

static void queue_edge(uint8_t button, bool is_down)
{
    struct event *event = &queue[keys_queued++];
    event->what = is_down ? button | KEY_WENT_DOWN : button;
    event->when = clock_ms - held[button];
    until_resent = 0;
}

/* A level has held long enough. Apart from its caller, lest both save registers for each other. */
__attribute__((noinline)) static void judge(struct eight *eight, uint8_t bit, uint8_t button)
{
    if (!((eight->seen ^ eight->reported) & bit)) {
        if (eight->missed & bit)
            counters.lost_edges += 2;
    } else if (keys_queued < KEY_PLACES) {
        queue_edge(button, eight->seen & bit);
        eight->reported ^= bit;
    } else {
        eight->missed |= bit;
        return;
    }
    eight->missed &= ~bit;
}

void keys_look(uint8_t number, uint8_t down)
{
    struct eight *eight = &eights[number];
    uint8_t changed = down ^ eight->seen;
    uint8_t busy = changed | (down ^ eight->reported) | eight->missed;
    uint8_t button = number * 8;

    if (!busy)
        return;
    eight->seen = down;
    for (uint8_t bit = 1; bit; bit <<= 1, button++) {
        if (!(busy & bit))
            continue;
        uart_poll();
        if (changed & bit)
            held[button] = 0;
        else if (held[button] <= 255 - elapsed)
            held[button] += elapsed;
        else
            held[button] = 255;
        if (held[button] < keys_hold)
            continue;
        judge(eight, bit, button);
        uart_poll();
    }
}

static void take_off(uint8_t events)
{
    keys_first += events;
    keys_queued -= events;
    for (uint8_t place = 0; place < keys_queued; place++) {
        queue[place] = queue[place + events];
        uart_poll();
    }
}

void keys_forget(void)
{
    take_off(keys_queued);
    for (struct eight *eight = eights; eight < eights + EIGHTS; eight++) {
        eight->reported = eight->seen;
        eight->missed = 0;
    }
}

void keys_acknowledge(uint8_t sequence)
{
    uint8_t events = sequence - keys_first;
    if (events <= keys_queued)
        take_off(events);
}

bool keys_are_due(void)
{
    return keys_queued && !until_resent;
}

void keys_were_sent(void)
{
    until_resent = RESEND_MS;
}

uint8_t keys_what(uint8_t place)
{
    return queue[place].what;
}

uint32_t keys_when(uint8_t place)
{
    return clock_ms - (__uint24)((__uint24)clock_ms - queue[place].when);
}

uint8_t keys_down_after(uint8_t events, uint8_t eight)
{
    uint8_t down = eights[eight].reported;

    for (uint8_t place = events; place < keys_queued; place++) {
        uint8_t button = queue[place].what & ~KEY_WENT_DOWN;
        uart_poll();
        if (button / 8 == eight)
            down ^= 1 << button % 8;
    }
    return down;
}
