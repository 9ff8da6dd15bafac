/* What the process that sends has done so far, in memory that nytp-record shares with it. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

typedef struct record_push_status {
    _Atomic uint64_t batches; /* that it has taken */
    _Atomic uint64_t sent, waiting, dropped, dropped_samples;
    _Atomic uint64_t cpu_us; /* processor time of it and of the programs that it ran */
} record_push_status;
