/* What the tests of the collector's output share: scratch files, numbered events, child processes. */
#ifndef TEST_PROF_SUPPORT_H
#define TEST_PROF_SUPPORT_H

#include "test/unit/support.h"
#include "xs/output.h"

#include <sys/types.h>

/* Makes a directory for the test's files, and removes it with them: for cmocka_run_group_tests(). */
int scratch_make(void **state);
int scratch_remove(void **state);

/* A name in there; lives until the sixteenth call from now. */
const char *scratch(const char *name);

/* An output with its header, that has begun, and with it a process; and its end. */
prof_output *begin_output(const char *path, int level);
void close_output(prof_output *output);
extern const nytp_chunk process_end;

/* TIME_LINE events as the collector writes them, with ticks of all sizes. Their lines are first, first + 1,
 * ... */
void put_lines(prof_output *output, uint32_t first, uint32_t count);

/* Reads a profile that must hold a header and lines from 0 on, all of them up to the last, with the ticks
 * that put_lines() gave them. Returns how many; *end is what the reader ended with. */
uint32_t read_lines(const char *path, int *end);
void assert_lines(const char *path, uint32_t count, int end);

/* Waits until the file has as many lines; fails after ten seconds. */
void wait_for_lines(const char *path, uint32_t count);

/* Runs function in a child, where a failing assertion aborts; fails unless it returns. */
void in_child(void (*function)(void));
pid_t start_child(void (*function)(void));
void end_child(pid_t pid);

/* From now on this process can have no further threads; nor can it get back what it needs for them. */
void forbid_threads(void);
/* From now on close_range(2) fails, as it does in some containers. */
void forbid_close_range(void);

size_t count_entries(const char *name);
size_t file_size(const char *path);

#endif
