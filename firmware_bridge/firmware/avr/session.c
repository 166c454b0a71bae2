#include "session.h"

#include "boot.h"
#include "flags.h"
#include "frame.h"
#include "keys.h"
#include "leds.h"
#include "message.h"
#include "pixels.h"
#include "scratch.h"
#include "watchdog.h"

static uint32_t session;
static struct safe safe;

/* Sequence number of the latest PING. */
static uint8_t ping_sequence;

static void answer(enum reason reason)
{
    message_answer(frame.type, frame.sequence, reason);
}

static void handle_hello(const struct hello *hello)
{
    bool is_understood = hello->lowest <= PROTOCOL_VERSION && hello->highest >= PROTOCOL_VERSION;

    if (is_understood && (flags.state == NEW || hello->session != session)) {
        flags.state = GREETED;
        session = hello->session;
        keys_forget();
    }
    message_info(frame.sequence, is_understood ? PROTOCOL_VERSION : 0, hello->session);
}

static bool is_possible(const struct setup *setup)
{
    if (!setup->hold || setup->hold > MAX_HOLD_MS)
        return false;
    if (setup->colours == 3)
        return setup->leds <= PIXEL_BYTES / 3;
    return setup->colours == 4 && setup->leds <= PIXEL_BYTES / 4;
}

static enum reason handle_setup(const struct setup *setup)
{
    if (flags.state == NEW || setup->boot != boot_nonce())
        return NOT_READY;
    if (!is_possible(setup)) {
        flags.state = GREETED;
        return TOO_MUCH;
    }
    flags.state = READY;
    safe = setup->safe;
    keys_hold = setup->hold;
    watchdog_set(setup->watchdog);
    pixels_set_up(setup->leds * setup->colours, setup->colours);
    return NO_REASON;
}

static void handle_pixels(void)
{
    bool is_latch = frame.argument & LATCH;
    enum reason reason = pixels_receive(flags.state == READY ? NO_REASON : NOT_READY);

    if (reason != DAMAGED && reason != BROKEN_OFF)
        watchdog_feed();
    if (reason || is_latch)
        answer(reason);
}

static enum reason handle_fill(const uint8_t *led)
{
    if (flags.state != READY)
        return NOT_READY;
    if (frame.length != leds_colours)
        return WRONG_SIZE;
    pixels_fill(led);
    return NO_REASON;
}

static void handle_ping(void)
{
    flags.pong_is_due = true;
    ping_sequence = frame.sequence;
}

static enum reason handle_bye(void)
{
    if (flags.state != NEW)
        pixels_show_pattern(safe.led, 0);
    flags.state = NEW;
    session = 0;
    watchdog_set(0);
    return NO_REASON;
}

static void handle(void)
{
    switch (frame.type) {
    case TYPE_HELLO:
        handle_hello(&scratch.payload.hello);
        break;
    case TYPE_SETUP:
        answer(handle_setup(&scratch.payload.setup));
        break;
    case TYPE_FILL:
        answer(handle_fill(scratch.payload.led));
        break;
    case TYPE_PING:
        handle_ping();
        break;
    case TYPE_KEYACK:
        if (flags.state == READY)
            keys_acknowledge(frame.sequence);
        break;
    case TYPE_BYE:
        answer(handle_bye());
        break;
    default:
        answer(UNKNOWN);
    }
}

/* The length of FILL depends on the strip. */
static bool has_its_length(void)
{
    switch (frame.type) {
    case TYPE_HELLO:
        return frame.length == sizeof(struct hello);
    case TYPE_SETUP:
        return frame.length == sizeof(struct setup);
    case TYPE_PING:
    case TYPE_KEYACK:
    case TYPE_BYE:
        return !frame.length;
    default:
        return true;
    }
}

static void handle_short(void)
{
    enum reason error = frame_receive((uint8_t *)&scratch.payload, sizeof scratch.payload);

    if (frame.type & FROM_BOARD)
        return;
    if (error) {
        answer(error);
        return;
    }
    watchdog_feed();
    if (has_its_length())
        handle();
    else
        answer(WRONG_SIZE);
}

void session_receive(void)
{
    if (frame.type == TYPE_PIXELS)
        handle_pixels();
    else
        handle_short();
}

static void send_pong(void)
{
    uint8_t is_ready = flags.state == READY ? PONG_READY : 0;

    message_pong(ping_sequence, is_ready | (pixels_is_shown() ? PONG_SHOWN : 0), session);
    flags.pong_is_due = false;
}

void session_send(void)
{
    if (flags.pong_is_due && message_has_room(PONG_BYTES))
        send_pong();
    if (flags.state == READY && !flags.is_expired && keys_are_due())
        message_keys();
}

void session_watchdog(void)
{
    pixels_show_pattern(safe.led, safe.every);
    watchdog_expire();
}
