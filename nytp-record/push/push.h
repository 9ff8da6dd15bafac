/* Profiles that are sent to a server while the recording goes on: each process that is sampled gets a new
 * profile after an interval, and those that are complete go to a process that sends them. */
#pragma once

#include "cli/options.h"
#include "sampler/sampler.h"

#include <stdbool.h>
#include <stdint.h>

/* What Pyroscope files a profile under: the name of a service, and labels, as SERVICE{NAME=VALUE,...}. Its
 * parser (grafana/pyroscope, api/model/labelset) knows neither quotes nor escapes. */

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

/* Profiles that are sent to a server while the recording goes on: each process that is sampled gets a new
 * profile after an interval, and those that are complete go to a process that sends them. */

typedef struct record_push record_push;

typedef struct record_push_options {
    const char *url; /* NULL: nothing is sent */
    record_series series;
    double interval_s;
} record_push_options;

/* The call of a row whose context is the url. */
char *record_push_set_url(const nytp_option *option, const char *argument);

/* Starts the process that sends. Returns NULL after saying why it cannot. */
record_push *record_push_new(const record_push_options *options, double rate_hz);
void record_push_free(record_push *push); /* NULL is fine */

/* Returns whether the process that sends is there. Says once that it is not. */
bool record_push_is_alive(record_push *push);

/* Returns the name of a new profile, for g_free(). */
char *record_push_profile_name(record_push *push);

/* Returns what a process is filed under, as record_series_of() does. */
char *record_push_series_of(const record_push *push, const sampler_target *target, bool with_unit);

/* A complete profile of a process. */
typedef struct record_push_profile {
    const char *path;
    uint64_t samples;
    double from_s, until_s; /* since 1970 */
    const char *series;
} record_push_profile;

/* Adds a profile to those of the interval. One without samples is removed. */
void record_push_add(record_push *push, const record_push_profile *profile);

/* Counts a profile that could not be written or handed over. The reason is printed the first time. */
void record_push_lose(record_push *push, const char *why, uint64_t samples);

/* Returns whether the interval has passed, after which all processes get new profiles. */
bool record_push_is_due(const record_push *push, int64_t now_ns);

/* Hands over the profiles that were added since the last time. */
void record_push_end_interval(record_push *push, int64_t now_ns);

/* Prints what became of the profiles. lost_s: time without samples, of all processes. */
void record_push_say(const record_push *push, double lost_s);

/* Hands over the last profiles, and waits until they are sent, for at most 10 s. Returns whether all of the
 * recording was sent. */
bool record_push_finish(record_push *push);
