/* Writes what streams of processes say as a profile of memory, which all programs read. */
#pragma once

#include "format/memory.h"
#include "memory/stream.h"
#include "model/names.h"

typedef struct nytp_memory_process {
    nytp_memory_stream *stream; /* NULL if it has no records */
    nytp_chunk start, end;      /* PID_START and PID_END; the tag of the latter is 0 if it has not ended */
    double values[NYTP_VALUE_TYPE_COUNT];       /* of perl, as they were said last; 0 if they were not */
    double taken_values[NYTP_VALUE_TYPE_COUNT]; /* at the moment that was asked for */
} nytp_memory_process;

/* What the profile of time has of files and subs. The texts of chunks live as long as it does. */
typedef struct nytp_memory_named {
    GArray *settings;  /* nytp_chunk: ATTRIBUTE, of the header */
    GHashTable *files; /* NEW_FID by fid */
    nytp_names *subs;  /* the profile that is written adds to them */
    GArray *infos;     /* nytp_chunk: SUB_INFO, by the number of the name; the tag is 0 where there is none */
    uint32_t last_fid;
    double rate_bytes;
} nytp_memory_named;

/* Returns what is known of a sub; NULL: nothing. */
static inline const nytp_chunk *nytp_memory_sub_info(const nytp_memory_named *named, uint32_t sub)
{
    const nytp_chunk *info = sub < named->infos->len ? &g_array_index(named->infos, nytp_chunk, sub) : NULL;
    return info != NULL && info->tag == NYTP_SUB_INFO ? info : NULL;
}

/* Writes the profile of processes (nytp_memory_process), whose streams have ended. of: the attribute
 * memory_of. Returns 0, or a negative error, which the writer has. */
int nytp_memory_profile_write(const GArray *processes, const nytp_memory_named *named, const char *of,
                              nytp_writer *writer);
