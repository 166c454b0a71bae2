/* Memory with two uses at different times: a short payload, or the button samples of a show. */

#ifndef SCRATCH_H
#define SCRATCH_H

#include "board.h"

struct hello {
    uint32_t session;
    uint8_t lowest;
    uint8_t highest;
};

struct safe {
    uint8_t every;
    uint8_t led[4];
};

struct setup {
    uint32_t boot;
    uint16_t leds;
    uint8_t colours;
    uint8_t hold;
    uint16_t watchdog;
    struct safe safe;
};

union scratch {
    union payload {
        struct hello hello;
        struct setup setup;
        uint8_t led[4];
    } payload;
    /* One place is for the sample that is incomplete when the last byte has been sent. */
    uint8_t samples[PIXEL_BYTES / BYTES_PER_SAMPLE + 1][SAMPLE_BYTES];
};

extern union scratch scratch;

#endif
