#include "keys.h"

#include "clock.h"
#include "counters.h"
#include "flags.h"
#include "uart.h"

#define RESEND_MS 50

/* Three bytes of the clock are enough for events younger than four hours. */
struct event {
    uint8_t edge;
    __uint24 time;
};

static struct event queue[KEY_QUEUE_SIZE];
uint8_t keys_first;
uint8_t keys_queued;
uint8_t keys_hold = 5;

static uint8_t until_resent;

/* Milliseconds between the last two samples. */
static uint8_t elapsed;

/* Bitmaps of eight buttons: levels at the last sample, levels after all queued events, and buttons
 * whose edge found the queue full. */
static struct group {
    uint8_t seen;
    uint8_t reported;
    uint8_t missed;
} groups[GROUPS];

/* Age of each button's level in milliseconds, saturated at 255. */
static uint8_t held[BUTTONS];

void keys_advance(uint8_t ms)
{
    elapsed = ms;
    until_resent = until_resent > ms ? until_resent - ms : 0;
}

static void queue_edge(uint8_t button, bool is_down)
{
    struct event *event = &queue[keys_queued++];
    event->edge = is_down ? button | KEY_WENT_DOWN : button;
    event->time = clock_ms - held[button];
    until_resent = 0;
}

/* Handle a debounced level. Not inlined, so that the caller saves fewer registers. */
__attribute__((noinline)) static void report(struct group *group, uint8_t bit, uint8_t button)
{
    if (!((group->seen ^ group->reported) & bit)) {
        if (group->missed & bit)
            counters.lost_edges += 2;
    } else if (keys_queued < KEY_QUEUE_SIZE) {
        queue_edge(button, group->seen & bit);
        group->reported ^= bit;
    } else {
        group->missed |= bit;
        return;
    }
    group->missed &= ~bit;
}

void keys_sample(uint8_t number, uint8_t down)
{
    struct group *group = &groups[number];
    uint8_t changed = down ^ group->seen;
    uint8_t busy = changed | (down ^ group->reported) | group->missed;
    uint8_t button = number * 8;

    if (!busy)
        return;
    group->seen = down;
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
        report(group, bit, button);
        uart_poll();
    }
}

static void remove_events(uint8_t events)
{
    keys_first += events;
    keys_queued -= events;
    if (flags.is_truncated)
        until_resent = 0;
    for (uint8_t i = 0; i < keys_queued; i++) {
        queue[i] = queue[i + events];
        uart_poll();
    }
}

void keys_forget(void)
{
    remove_events(keys_queued);
    for (struct group *group = groups; group < groups + GROUPS; group++) {
        group->reported = group->seen;
        group->missed = 0;
    }
}

void keys_acknowledge(uint8_t sequence)
{
    uint8_t events = sequence - keys_first;
    if (events <= keys_queued)
        remove_events(events);
}

bool keys_are_due(void)
{
    return keys_queued && !until_resent;
}

void keys_were_sent(void)
{
    until_resent = RESEND_MS;
}

uint8_t keys_edge(uint8_t index)
{
    return queue[index].edge;
}

uint32_t keys_time(uint8_t index)
{
    return clock_ms - (__uint24)((__uint24)clock_ms - queue[index].time);
}

uint8_t keys_down_after(uint8_t events, uint8_t group)
{
    uint8_t down = groups[group].reported;

    for (uint8_t i = events; i < keys_queued; i++) {
        uint8_t button = queue[i].edge & ~KEY_WENT_DOWN;
        uart_poll();
        if (button / 8 == group)
            down ^= 1 << button % 8;
    }
    return down;
}
