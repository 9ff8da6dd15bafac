/* The calls of profiles by process, as the course of all calls. */
#pragma once

#include "calls/course.h"
#include "calls/memory_curve.h"
#include "calls/process_calls.h"
#include "calls/process_requests.h"

/* By the clock of each process. has_traces: frames of spans have the ids of their traces. */
nytp_process_calls *nytp_process_course_new(bool keep_evals, bool has_traces);

/* Returns the course, in ticks, which belongs to calls. Its subs are numbers of frames. The index of a mark's
 * process is its stack less one. */
nytp_course *nytp_process_course_get(nytp_process_calls *calls);

/* Returns how much memory the processes had, by index, in seconds since each began. It belongs to calls. */
const nytp_memory_curve *nytp_process_course_memory(const nytp_process_calls *calls);

/* Returns the requests of the processes. It belongs to calls. */
nytp_process_requests *nytp_process_course_requests(const nytp_process_calls *calls);
