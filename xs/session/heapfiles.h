/* The files beside FILE that heap= writes: peak.FILE, live.FILE and alloc.FILE, each a profile of memory. */
#pragma once

#include "nytprof.h"
#include "prof.h"

#include "heap/samples.h"

/* A call on a stack. */
typedef struct prof_heap_call {
    uint32_t node, parent;
    uint32_t caller, callee, fid, line; /* as in an arc */
    nytp_str name;                      /* of the callee */
} prof_heap_call;

typedef struct prof_heap_written {
    const prof_heap_site *of;
    uint32_t fid; /* of its place */
    const char *kind;
} prof_heap_written;

typedef struct prof_heap_view {
    prof_heap heap;           /* a copy */
    double peak_bytes;        /* of the process */
    bool has_ended;           /* what is live is what was live when the program ended */
    prof_heap_call *calls;    /* by node; the root is not a call */
    uint32_t *order;          /* nodes; those with one parent are together, sorted */
    uint32_t *first;          /* for each node, where its children begin in order; those of the next end it */
    prof_heap_written *sites; /* sorted by node, file, line and kind */
    uint32_t *first_site;     /* for each node, as first */
    uint32_t unknown_fid;     /* of a file that stands for unknown places */
} prof_heap_view;

/* Returns what the context has allocated until now, to be freed by prof_heap_view_free(). Writes NEW_FID to
 * FILE for files that it does not have yet. perl_lives: as for prof_session_close(). */
prof_heap_view *prof_heap_view_new(pTHX_ prof *p, bool perl_lives) __attribute__((returns_nonnull));
void prof_heap_view_free(prof_heap_view *view);

enum { PROF_HEAP_FILES = PROF_HEAP_END }; /* the parts before that have files */
extern const char *const prof_heap_file_names[PROF_HEAP_FILES];

/* Notes an attribute of FILE's header that profiles of memory have, too. Forgets those of an earlier FILE if
 * key is NULL. */
void prof_heap_profile_note(prof *p, const char *key, const char *value);

/* Writes the profile of a part. end_s: the time at which the process ends. Returns 1 if there is nothing of
 * that part, and then has written nothing; 0; or a negative error, which the writer has. */
int prof_heap_profile_write(prof *p, const prof_heap_view *view, prof_heap_part part, nytp_writer *writer,
                            double end_s);

enum { PROF_HEAP_NAMES_MAX = 32 };

/* Writes those of which there is something, each under a temporary name first. Sets names to which they are,
 * with commas between them. Returns whether there are any: none if FILE is not a regular file. */
bool prof_heap_files_write(pTHX_ prof *p, double end_s, bool perl_lives, char names[PROF_HEAP_NAMES_MAX]);

/* Writes what is live now to the file at path, under a temporary name first. Returns false, after saying why
 * unless nothing is live that was followed, if it cannot. */
bool prof_heap_snapshot_write(pTHX_ prof *p, const char *path, double now_s);
