/* For the tests of the collector's output: scratch files, numbered events, child processes. */
#pragma once

#include "test/unit/support.h"
#include "xs/output/output.h"

#include <sys/types.h>

/* For cmocka_run_group_tests(): create a directory for the files of the tests, and remove it. */
int scratch_make(void **state);
int scratch_remove(void **state);

/* Returns a path in that directory, which is valid until the sixteenth call after this one. */
const char *scratch(const char *name);

/* Opens an output and writes the header and the start of a process. close_output() writes the end of the
 * process. */
prof_output *begin_output(const char *path, int level);
void close_output(prof_output *output);
extern const nytp_chunk process_end;

/* TIME_LINE events as the collector writes them, with ticks of all sizes. Their lines are first, first + 1,
 * ... */
void put_lines(prof_output *output, uint32_t first, uint32_t count);

/* Reads a profile, which must have a header and the lines 0, 1, ... with the ticks that put_lines() gave
 * them. Returns the number of lines; *end is the last result of the reader. */
uint32_t read_lines(const char *path, int *end);
void assert_lines(const char *path, uint32_t count, int end);

/* Waits until the file has that many lines; fails after ten seconds. */
void wait_for_lines(const char *path, uint32_t count);
void wait_for_at_least(const char *path, uint32_t count);

/* Runs function in a child, where a failing assertion aborts. Fails unless the function returns. */
void in_child(void (*function)(void));
pid_t start_child(void (*function)(void));
void end_child(pid_t pid);

/* Makes starting threads fail in this process. */
void forbid_threads(void);
/* Makes close_range(2) fail in this process, as it does in some containers. */
void forbid_close_range(void);
/* Skips the test if that is impossible: emulators have no filters of system calls. Not for children. */
void need_filters(void);

size_t count_entries(const char *name);
size_t file_size(const char *path);
