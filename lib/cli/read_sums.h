/* Reading a file once more, for the calls that a profile has not summed up. */
#pragma once

#include "cli/options.h"
#include "nytprof-model.h"

/* A profile of a file, as far as it was read: the file may have grown. */
typedef struct nytp_part_of_file {
    size_t profiles; /* that precede it */
    uint64_t bytes;  /* of the file */
} nytp_part_of_file;

/* Returns whether that is a regular file; "-" is not. */
bool nytp_can_be_read_again(const char *path);

/* Reads a profile, with sums of all calls (calls/sum_calls.h). What is wrong with it has been said. */
void nytp_read_sums(const char *path, const nytp_common_options *options, nytp_part_of_file part,
                    nytp_profile *calls);
