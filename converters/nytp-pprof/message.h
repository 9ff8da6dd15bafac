/* The messages of profile.proto that stacks and lines have in common. */
#pragma once

#include "model/names.h"
#include "export/protobuf.h"

#include <math.h>

/* Field numbers of profile.proto. */
enum pprof_profile_field {
    PPROF_SAMPLE_TYPE = 1,
    PPROF_SAMPLE = 2,
    PPROF_MAPPING = 3,
    PPROF_LOCATION = 4,
    PPROF_FUNCTION = 5,
    PPROF_STRING = 6,
    PPROF_TIME_NANOS = 9,
    PPROF_DURATION_NANOS = 10,
    PPROF_PERIOD_TYPE = 11,
    PPROF_PERIOD = 12,
    PPROF_COMMENT = 13,
    PPROF_DEFAULT_SAMPLE_TYPE = 14
};

typedef struct pprof_message {
    nytp_proto proto;
    nytp_names *strings;      /* number 0 is "" */
    size_t sample, locations; /* where they begin, between pprof_begin_sample() and pprof_end_sample() */
} pprof_message;

void pprof_message_init(pprof_message *m, FILE *out);

/* Writes what is left, and frees. */
void pprof_message_finish(pprof_message *m);

/* The types of the two values of each sample: time in ns, and a count. Programs that know no default type
 * show the first. time is "wall" or "cpu". sampled_hz is 0 if the profile is not made of samples. */
void pprof_write_types(pprof_message *m, const char *count, const char *time, double sampled_hz);

/* Locations and functions must be written in the order of their ids, which count from 1: Parca asks for it.
 */
void pprof_write_location(pprof_message *m, uint32_t id, uint32_t function, uint32_t line);
void pprof_write_function(pprof_message *m, uint32_t id, nytp_str name, nytp_str file, uint32_t line);

/* The labels of a sample. */
typedef struct pprof_labels {
    uint32_t pid;          /* 0: none */
    nytp_str label, route; /* empty: none */
} pprof_labels;

/* A sample: its location ids, leaf first, in between. */
void pprof_begin_sample(pprof_message *m);
void pprof_add_location(pprof_message *m, uint32_t id);
void pprof_end_sample(pprof_message *m, int64_t ns, uint64_t count, const pprof_labels *labels);

/* When a profile was recorded: from the first start of a process to the last end, as far as they are known,
 * in seconds since 1970. */
typedef struct pprof_times {
    double begin_s, end_s;
} pprof_times;

#define PPROF_NO_TIMES ((pprof_times){HUGE_VAL, 0})

void pprof_add_process(pprof_times *times, double start_s, double end_s);

/* The script as the mapping of all locations, the times, and all strings: last. With now, the profile has the
 * time of this call, and the same duration. */
void pprof_write_end(pprof_message *m, nytp_str script, const pprof_times *times, bool now);
