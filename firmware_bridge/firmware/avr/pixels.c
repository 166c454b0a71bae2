#include "pixels.h"

#include "counters.h"
#include "flags.h"
#include "frame.h"
#include "leds.h"

/* Sequence number that a partial frame must have. */
static uint8_t next_sequence;

static void show(void)
{
    leds_show();
    flags.is_shown = true;
    counters.shown++;
}

static void commit(void)
{
    flags.has_base = true;
    next_sequence = frame.sequence + 1;
}

void pixels_set_up(uint16_t length, uint8_t colours)
{
    leds_length = length;
    leds_colours = colours;
    flags.has_base = false;
}

static enum reason refusal(uint16_t offset)
{
    if (offset > leds_length || frame.length > leds_length - offset)
        return WRONG_SIZE;
    bool is_whole = !offset && frame.length == leds_length;
    if (is_whole || (flags.has_base && frame.sequence == next_sequence))
        return NO_REASON;
    return NO_BASE;
}

enum reason pixels_receive(enum reason refused)
{
    uint16_t offset = frame.argument & ~LATCH;
    enum reason error;

    if (!refused)
        refused = refusal(offset);
    if (refused) {
        error = frame_receive(leds_bytes, 0);
        return error ? error : refused;
    }
    /* While the payload arrives, the buffer holds neither the old frame nor the new one. */
    if (frame.length)
        flags.has_base = flags.is_shown = false;
    error = frame_receive(leds_bytes + offset, frame.length);
    if (error)
        return error;
    commit();
    if (frame.argument & LATCH)
        show();
    return NO_REASON;
}

void pixels_fill(const uint8_t *led)
{
    leds_fill(led, 1);
    commit();
    show();
}

void pixels_show_pattern(const uint8_t *led, uint8_t every)
{
    leds_fill(led, every);
    flags.has_base = false;
    leds_show();
}

bool pixels_is_shown(void)
{
    return flags.has_base && flags.is_shown;
}
