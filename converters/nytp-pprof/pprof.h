/* Profiles in the format of pprof: its messages, and what is written by them. */
#pragma once

#include "nytprof-model.h"

#include "calls/process_calls.h"
#include "export/protobuf.h"
#include "model/measure.h"
#include "model/names.h"

#include <math.h>

/* Writes a sample for each line: statements and time, each in the sub whose lines it is among, without
 * callers. now: as in pprof_options. Write errors stick to out. */
void pprof_write_lines(const nytp_profile *profile, bool now, FILE *out);

typedef struct pprof_options {
    nytp_least min;     /* stacks with less of the time fold into their callers */
    uint32_t max_depth; /* deeper calls fold into their callers; 0: no limit */
    bool now;           /* the profile's time is the present, not that of the recording */
} pprof_options;

typedef struct pprof_written {
    uint64_t samples;
    uint32_t cut; /* how many levels of the stacks were deeper than max_depth */
} pprof_written;

/* Writes a sample for each stack of lined trees: calls and exclusive time. Write errors stick to out. Trees
 * that were written can be written again, with other options. */
pprof_written pprof_write_stacks(nytp_process_calls *calls, const pprof_options *options, FILE *out);

/* What Pyroscope accepts unless its administrator says otherwise (pkg/validation/limits.go). */
enum { PPROF_FIT_SAMPLES = 16000, PPROF_FIT_BYTES = 4 << 20, PPROF_FIT_DEPTH = 1000 };

/* Writes as pprof_write_stacks() does, and returns the same. If there are more samples or bytes than that,
 * the smallest stacks fold into their callers first. options->max_depth is at most PPROF_FIT_DEPTH, and the
 * trees must have read the whole time. */
pprof_written pprof_write_fitting(nytp_process_calls *calls, const pprof_options *options, FILE *out);

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
    int values;               /* of each sample */
    size_t sample, locations; /* where they begin, between pprof_begin_sample() and pprof_end_sample() */
} pprof_message;

void pprof_message_init(pprof_message *m, FILE *out);

/* Writes what is left, and frees. */
void pprof_message_finish(pprof_message *m);

/* The types of the values of each sample. Programs that know no default type show the first. */
enum { PPROF_VALUES_MAX = 6 };
typedef struct pprof_type {
    const char *name, *unit;
} pprof_type;
typedef struct pprof_types {
    pprof_type values[PPROF_VALUES_MAX];
    int count;
    const char *shown; /* the name of the default */
    pprof_type period_of;
    uint64_t period;
} pprof_types;

/* Time in ns, and a count. time is "wall" or "cpu". */
pprof_types pprof_types_of_time(const char *count, const char *time, const nytp_measure *measure);

void pprof_write_types(pprof_message *m, const pprof_types *types);

/* Locations and functions must be written in the order of their ids, which count from 1: Parca asks for it.
 */
void pprof_write_location(pprof_message *m, uint32_t id, uint32_t function, uint32_t line);
void pprof_write_function(pprof_message *m, uint32_t id, nytp_str name, nytp_str file, uint32_t line);

/* The labels of a sample. */
typedef struct pprof_labels {
    uint32_t pid;          /* 0: none */
    nytp_str label, route; /* empty: none */
    nytp_str kind;         /* of memory; empty: none */
    nytp_str trace, span;  /* ids; empty: none */
} pprof_labels;

/* A sample: its location ids, leaf first, in between; and its values, as many as there are types. */
void pprof_begin_sample(pprof_message *m);
void pprof_add_location(pprof_message *m, uint32_t id);
void pprof_end_sample(pprof_message *m, const int64_t values[PPROF_VALUES_MAX], const pprof_labels *labels);

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
