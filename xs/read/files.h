/* The files of a profile and their source: fid_fileinfo and fid_srclines. */
#pragma once

#include "data.h"

/* Columns of a file that subs.c fills: hashes by sub name, and by line. */
enum { READ_FILE_SUBS = 10, READ_FILE_CALLS = 11 };

/* Adds a NEW_FID. */
void read_files_add(pTHX_ read_data *l, const nytp_chunk *chunk);
/* Adds a SRC_LINE. */
void read_files_add_source(pTHX_ read_data *l, const nytp_chunk *chunk);

/* Returns the item of a file, or NULL. */
AV *read_files_find(pTHX_ const read_data *l, uint32_t fid);
