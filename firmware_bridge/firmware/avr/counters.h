/* Diagnostic counters, in the layout of INFO and PONG. */

#ifndef COUNTERS_H
#define COUNTERS_H

#include <stdint.h>

struct counters {
    uint32_t shown;
    uint16_t bad_headers;
    uint16_t damaged;
    uint16_t broken_off;
    uint16_t overruns;
    uint16_t lost_edges;
    uint16_t watchdog;
};

extern struct counters counters;

#endif
