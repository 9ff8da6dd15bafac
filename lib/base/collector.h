/* What has recorded a profile, from its attributes. */
#pragma once

#include "nytprof.h"

typedef struct nytp_collector {
    char text[256]; /* empty: not known */
    bool is_named;  /* the profile says it: the attribute `collector` was there */
} nytp_collector;

/* Takes notice of an attribute. */
void nytp_collector_add(nytp_collector *collector, nytp_str key, nytp_str value);
