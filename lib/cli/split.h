/* Divides a merged profile by its processes. */
#pragma once

#include "cli/options.h"

#include <stdbool.h>
#include <stdint.h>

/* The processes of a merged profile, each a profile of its own in a temporary file. */
typedef struct nytp_process_files nytp_process_files;

/* Reads a profile once, and writes its parts into a hidden directory beside output. Returns NULL after saying
 * why that failed. The caller must nytp_process_files_free() them. */
nytp_process_files *nytp_process_files_new(const char *path, const nytp_common_options *common,
                                           const char *output);
void nytp_process_files_free(nytp_process_files *parts); /* NULL is fine. Removes their files. */

uint32_t nytp_process_files_count(const nytp_process_files *parts);

/* Whether the calls of processes can be told apart; otherwise there is one part, which has all of them. */
bool nytp_process_files_are_known(const nytp_process_files *parts);

/* Return the profile of the part with that index, which the caller must g_free(), and its process. */
char *nytp_process_files_path(const nytp_process_files *parts, uint32_t index);
uint32_t nytp_process_files_pid(const nytp_process_files *parts, uint32_t index);

/* Returns the number of a part among the threads of a process, in the order in which they began, counted from
 * 1; 0 if the process has one alone. Threads have the pid of the process in whose life they began. */
uint32_t nytp_process_files_thread(const nytp_process_files *parts, uint32_t index);
