/* What Pyroscope files a profile under: the name of a service, and labels, as SERVICE{NAME=VALUE,...}. Its
 * parser (grafana/pyroscope, api/model/labelset) knows neither quotes nor escapes. */
#pragma once

#include "cli/options.h"
#include "sampler/sampler.h"

#include <stdbool.h>

/* What the options say. */
typedef struct record_series {
    const char *service; /* NULL: a name for each process */
    char *labels;        /* NAME=VALUE,NAME=VALUE; NULL if none */
    unsigned count;      /* of labels */
} record_series;

/* The calls of rows whose context is a record_series. */
char *record_series_set_service(const nytp_option *option, const char *argument);
char *record_series_add_label(const nytp_option *option, const char *argument);

/* Returns what a process is filed under, for g_free(). Without a name from the options, that is its systemd
 * unit if with_unit is true and it has one, and otherwise its script. A container becomes a label. */
char *record_series_of(const record_series *series, const sampler_target *target, bool with_unit);

/* The same, of a program and of what sampler_unit_read() says. */
char *record_series_name(const record_series *series, const char *program, const char *unit);
