/* What the files of lib/cover/ share. */
#pragma once

#include "cover/cover.h"

#include "model/names.h"

/* A file's size in bytes, and when it was last changed, in seconds since 1970, as a recording has them. If
 * one of them differs between two recordings, the file was changed between them. */
typedef struct cover_state {
    uint32_t size, mtime;
} cover_state;

/* A file of the project, whichever recordings have it. Its path and state are those in the first of them. */
typedef struct cover_source {
    char *name, *path;
    bool is_eval;
    cover_state state;
} cover_source;

typedef struct cover_unit {
    uint32_t source; /* number in sources */
    uint32_t kind, twin, line;
    nytp_str name, list; /* as the chunk has them */
    GArray *points;      /* nytp_cover_point, of the list */
    uint8_t *seen;       /* of each point: bits of nytp_cover_outcome */
} cover_unit;

struct nytp_cover {
    GArray *sources; /* cover_source */
    nytp_names *source_names;
    nytp_names *paths;   /* of files, which sources may have several of */
    GArray *path_states; /* cover_state, by number of the path */
    GArray *units;       /* cover_unit */
    nytp_names *unit_keys;
    GPtrArray *files; /* nytp_cover_file, made by nytp_cover_files() */
    uint32_t recordings;
    char *program; /* of the last one */

    /* of the recording that is read */
    bool is_cover;
    char *directory;     /* of the project */
    GHashTable *fids;    /* number of a source + 1, by fid */
    GHashTable *numbers; /* number of a unit + 1, by that of the recording */
    char *error;         /* NULL if there is none */
};

/* Returns the number of the source that a NEW_FID is, and adds it if it is new; -1 if it makes no sense, or
 * was changed, which cover->error then says. */
int64_t nytp_cover_source(nytp_cover *cover, const nytp_chunk *chunk);

/* Returns for each point of the unit what was seen of it, of operators also what their operands show; the
 * caller must call g_free(). */
uint8_t *nytp_cover_seen(const cover_unit *unit);

/* Counts again what the file has. */
void nytp_cover_recount(nytp_cover_file *file);
