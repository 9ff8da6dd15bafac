/* The time of each sample of a thread. */
#pragma once

#include "sampler/sample/account.h"
#include "sampler/sample/resolve.h"

typedef struct sampler_meter {
    pid_t tid; /* the thread */
    sampler_activity *activity;
    sampler_account account;
    int64_t now_ns; /* when sampler_meter_before() was called */
    int64_t run_ns; /* of the thread then */
    bool has_slept; /* it slept then, and has not run since the call before that */
} sampler_meter;

enum sampler_wanted {
    SAMPLER_WANTED,
    SAMPLER_UNWANTED, /* with cpu: it sleeps */
    SAMPLER_NO_THREAD /* it has ended */
};

/* cpu: only samples of a thread that runs have time. Returns false if there is no such thread; errno says
 * why. */
bool sampler_meter_begin(sampler_meter *meter, pid_t pid, pid_t tid, double rate_hz, bool cpu);
void sampler_meter_clear(sampler_meter *meter);

/* The process executes another program now, or another thread counts: what passed until now is no sample's.
 */
void sampler_meter_skip(sampler_meter *meter, pid_t pid, pid_t tid);

/* Whether the thread has slept since the last time but one when sampler_meter_before() was called, so that
 * its stack is what it was. */
bool sampler_meter_has_slept(const sampler_meter *meter);

/* Call these just before and just after a stack is read. The second returns its time in seconds, and *share_s
 * has it by state; it is negative if the sample does not count, since with cpu the thread did not run. If a
 * stack cannot be read, do not call the second: the time goes to the next sample. */
enum sampler_wanted sampler_meter_before(sampler_meter *meter);
double sampler_meter_after(sampler_meter *meter, const sampler_stack *stack, const nytp_strings *strings,
                           double share_s[SAMPLER_STATES]);

/* No sample comes any more: notes what has passed up to now, or up to the end of the thread, for
 * sampler_meter_rest(). */
void sampler_meter_end(sampler_meter *meter);

/* Then returns what the last sample that saw this state takes besides, in seconds. */
double sampler_meter_rest(sampler_meter *meter, int state);
