/* How one process hands profiles to the other that sends them: files in a directory, and for each interval a
 * list of its files, which appears when all of them are complete. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* One profile of one process, a file in the directory. */
typedef struct record_profile_part {
    char *path;
    uint64_t samples;
    int64_t from_s, until_s; /* since 1970 */
    char *series;
} record_profile_part;

/* Returns an array of record_profile_part, which owns their strings. */
GArray *record_batch_new(void);

/* Writes a list. Lists are numbered from 0. Returns whether that was done; errno says why not. */
bool record_batch_write(const char *directory, uint64_t number, const GArray *parts);

/* Returns what a list has, for g_array_unref(), and removes its file. NULL if the list is not there yet. */
GArray *record_batch_take(const char *directory, uint64_t number);

/* Removes a directory of batches and all files in it. */
void record_batch_remove_directory(const char *directory);
