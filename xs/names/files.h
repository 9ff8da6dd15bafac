/* Files, numbered by perl's names in the order in which they become known: their fids. */
#pragma once

#include "prof.h"

#include "base/stringtable.h"
#include "nytprof.h"

typedef struct prof_file {
    uint32_t eval_fid, eval_line; /* of a string eval: where it was invoked; eval_fid 0: not one */
    uint32_t flags;               /* NYTP_FID_... */
    char *name;                   /* as written to the profile */
    size_t name_length;
    bool written; /* NEW_FID is in the current output */
} prof_file;

typedef struct prof_files {
    nytp_strings *names; /* perl's names; the number of a name is its fid - 1 */
    prof_file *at;       /* fid n is at[n - 1] */
    uint32_t cap;
    /* Files that AutoSplit made count as the file that was split. */
    nytp_strings *split_names;
    uint32_t *split_fids; /* of the file that was split, by the number of the name */
    uint32_t split_cap;
} prof_files;

void prof_files_init(prof_files *files);
void prof_files_free(prof_files *files);

uint32_t prof_file_count(const prof_files *files);

/* Returns the fid of the file that perl calls `name`. Writes NEW_FID if it is new. via: how it became known,
 * NYTP_FID_VIA_STMT or _SUB. */
uint32_t prof_fid(pTHX_ prof *p, const char *name, STRLEN length, uint32_t via);

/* Returns the fid of a file, or 0 if the file is not known. */
uint32_t prof_fid_if_known(prof_files *files, const char *name, STRLEN length);

/* Whether this is perl's name of a string eval, or of code in a regular expression. */
bool prof_is_eval(const char *name, STRLEN length);

/* Writes NEW_FID for first_fid and all later files. For an output that does not have them. */
void prof_files_write(prof *p, uint32_t first_fid);

/* Writes the source of the files up to and including last_fid. */
void prof_files_write_source(pTHX_ prof *p, uint32_t last_fid);
