#include "session.h"

#include "boot.h"
#include "flags.h"
#include "frame.h"
#include "keys.h"
#include "leds.h"
#include "message.h"
#include "picture.h"
#include "scratch.h"
#include "watchdog.h"

static uint32_t session;
static struct safe safe;

/* The sequence of the latest PING. */
static uint8_t pinged;

static void answer(enum reason reason)
{
    message_answer(frame.type, frame.sequence, reason);
}

static void hear_hello(const struct hello *hello)
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
    if (setup->colours == 3)
        return setup->leds <= PIXEL_BYTES / 3;
    return setup->colours == 4 && setup->leds <= PIXEL_BYTES / 4;
}

static enum reason hear_setup(const struct setup *setup)
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
    picture_set_up(setup->leds * setup->colours, setup->colours);
    return NO_REASON;
}

static void hear_pixels(void)
{
    bool is_latch = frame.argument & LATCH;
    enum reason reason = picture_receive(flags.state == READY ? NO_REASON : NOT_READY);

    if (reason != DAMAGED && reason != BROKEN_OFF)
        watchdog_feed();
    if (reason || is_latch)
        answer(reason);
}

static enum reason hear_fill(const uint8_t *led)
{
    if (flags.state != READY)
        return NOT_READY;
    if (frame.length != leds_colours)
        return WRONG_SIZE;
    picture_fill(led);
    return NO_REASON;
}

static void hear_ping(void)
{
    flags.pong_is_due = true;
    pinged = frame.sequence;
}

static enum reason hear_bye(void)
{
    if (flags.state != NEW)
        picture_show_unasked(safe.led, 0);
    flags.state = NEW;
    session = 0;
    watchdog_set(0);
    return NO_REASON;
}

static void hear(void)
{
    switch (frame.type) {
    case TYPE_HELLO:
        hear_hello(&scratch.payload.hello);
        break;
    case TYPE_SETUP:
        answer(hear_setup(&scratch.payload.setup));
        break;
    case TYPE_FILL:
        answer(hear_fill(scratch.payload.led));
        break;
    case TYPE_PING:
        hear_ping();
        break;
    case TYPE_KEYACK:
        if (flags.state == READY)
            keys_acknowledge(frame.sequence);
        break;
    case TYPE_BYE:
        answer(hear_bye());
        break;
    default:
        answer(UNKNOWN);
    }
}

/* FILL's length depends on the strip, and nobody knows that of a type that is unknown. */
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

static void hear_short(void)
{
    enum reason harm = frame_receive((uint8_t *)&scratch.payload, sizeof scratch.payload);

    if (frame.type & FROM_BOARD)
        return;
    if (harm) {
        answer(harm);
        return;
    }
    watchdog_feed();
    if (has_its_length())
        hear();
    else
        answer(WRONG_SIZE);
}

void session_receive(void)
{
    if (frame.type == TYPE_PIXELS)
        hear_pixels();
    else
        hear_short();
}

static void say_pong(void)
{
    uint8_t is_ready = flags.state == READY ? PONG_READY : 0;

    message_pong(pinged, is_ready | (picture_is_shown() ? PONG_SHOWN : 0), session);
    flags.pong_is_due = false;
}

void session_speak(void)
{
    if (flags.pong_is_due && message_may_go(PONG_BYTES))
        say_pong();
    if (flags.state == READY && !flags.has_bitten && keys_are_due())
        message_keys();
}

void session_bite(void)
{
    picture_show_unasked(safe.led, safe.every);
    watchdog_bite();
}
