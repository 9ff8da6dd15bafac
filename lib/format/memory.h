/* Profiles of memory: their ticks are bytes, and each TIME_LINE has an attribute before it that says how many
 * blocks these are, and of what kind. */
#pragma once

#include "nytprof.h"

#include <stdbool.h>
#include <stdint.h>

/* Types of perl's values, what room arenas have for more, and what those that there are take of them. How
 * many of each there are is an attribute, live_values_TYPE. */
#define NYTP_VALUE_TYPES(X)                                                                                  \
    X(undefined)                                                                                             \
    X(numbers)                                                                                               \
    X(strings)                                                                                               \
    X(references)                                                                                            \
    X(arrays)                                                                                                \
    X(hashes)                                                                                                \
    X(subs)                                                                                                  \
    X(globs)                                                                                                 \
    X(patterns)                                                                                              \
    X(handles)                                                                                               \
    X(objects) /* of a class, since perl 5.38 */                                                             \
    X(other)                                                                                                 \
    X(free)  /* heads that no value has */                                                                   \
    X(bytes) /* of heads and bodies of all but free ones */
#define NYTP_VALUES_KEY "live_values_"

/* An attribute of profiles in which the sum of all samples is exact, with what is left out, whose error it
 * has. */
#define NYTP_SAMPLED_SUM_KEY "sampled_sum"

#define NYTP_VALUE_NUMBER(name) NYTP_VALUES_OF_##name,
enum nytp_value_type { NYTP_VALUE_TYPES(NYTP_VALUE_NUMBER) NYTP_VALUE_TYPE_COUNT };
extern const char *const nytp_value_types[NYTP_VALUE_TYPE_COUNT];

/* Returns whether the value of the attribute is a sum: of the process in which it stands, or of all processes
 * of a merged profile at its end. */
bool nytp_memory_is_sum(nytp_str key);

typedef struct nytp_memory {
    uint64_t blocks;
    uint64_t samples;     /* of which the bytes are an estimate; 0: not said */
    uint64_t error_bytes; /* its standard error */
    nytp_str kind;        /* points into what was read, or is a constant */
} nytp_memory;

/* What a TIME_LINE has whose attribute is missing, or makes no sense. */
extern const nytp_memory nytp_memory_unknown;

/* Sets *memory to what the value of an attribute `memory` says. Returns false, and sets it to
 * nytp_memory_unknown, if that makes no sense. */
bool nytp_memory_parse(nytp_str value, nytp_memory *memory);

/* Returns what the value says, nytp_memory_unknown if it makes no sense. */
nytp_memory nytp_memory_read(nytp_str value);
