#include "fold.h"

#include "model/hashes.h"
#include "sampler/sampler.h"

#include "base/str.h"
#include "model/eval_name.h"
#include "model/grow.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_FILES = 8192 /* that are remembered, see recent.h; another one gets a new fid if it comes again */
};

struct record_files {
    nytp_writer *writer;
    sampler_evals *evals;
    record_sources *sources; /* may be NULL */
    GArray *by_number;       /* of uint32_t: fids by numbers of names; 0: not asked for yet */
    sampler_recent *by_name; /* the same by names as the profile has them */
    uint32_t last_fid, unknown_invoker, unknown_place;
};

record_files *record_files_new(nytp_writer *writer, sampler_evals *evals, record_sources *sources)
{
    record_files *f = g_new0(record_files, 1);
    f->writer = writer;
    f->evals = evals;
    f->sources = sources;
    f->by_number = NYTP_ZEROED_ARRAY(uint32_t);
    f->by_name = sampler_recent_new(MOST_FILES, nytp_hash_of_text, g_str_equal, g_free, NULL);
    return f;
}

void record_files_free(record_files *f)
{
    if (f == NULL)
        return;
    g_array_free(f->by_number, TRUE);
    sampler_recent_free(f->by_name);
    g_free(f);
}

void record_files_renumber(record_files *f)
{
    g_array_free(f->by_number, TRUE);
    f->by_number = NYTP_ZEROED_ARRAY(uint32_t);
}

/* An error of the writer sticks, and is found when it finishes. */
static uint32_t write_fid(record_files *f, nytp_chunk *chunk, const char *name, uint32_t flags)
{
    chunk->new_fid.fid = ++f->last_fid;
    chunk->new_fid.flags = flags | NYTP_FID_VIA_STMT | NYTP_FID_VIA_SUB;
    chunk->new_fid.name = nytp_str_of(name);
    nytp_writer_chunk(f->writer, chunk);
    return f->last_fid;
}

static uint32_t write_eval(record_files *f, const char *name, uint32_t parent, uint32_t line)
{
    nytp_chunk chunk = {.tag = NYTP_NEW_FID};
    chunk.new_fid.eval_fid = parent;
    chunk.new_fid.eval_line = line;
    return write_fid(f, &chunk, name, NYTP_FID_IS_EVAL);
}

/* A file on disk, by the name that perl has. */
static uint32_t write_source(record_files *f, const char *name)
{
    nytp_chunk chunk = {.tag = NYTP_NEW_FID};
    if (f->sources == NULL)
        return write_fid(f, &chunk, name, 0);
    g_autofree char *path = record_sources_name(f->sources, name);
    record_sources_find(f->sources, path, &chunk);
    write_fid(f, &chunk, path, 0);
    record_sources_add(f->sources, f->last_fid);
    return f->last_fid;
}

static uint32_t write_unknown(record_files *f, uint32_t *fid, const char *name)
{
    if (*fid == 0)
        *fid = write_fid(f, &(nytp_chunk){.tag = NYTP_NEW_FID}, name, NYTP_FID_IS_FAKE);
    return *fid;
}

uint32_t record_files_unknown(record_files *f)
{
    return write_unknown(f, &f->unknown_place, "/unknown-place");
}

static uint32_t fid_of(record_files *f, const char *name);

/* The name of an eval says where it is done, see sampler_evals_file(). */
static uint32_t add_eval(record_files *f, const char *name, const nytp_eval_name *eval)
{
    if (eval->file.length == 0)
        return write_eval(f, name, write_unknown(f, &f->unknown_invoker, "/unknown-eval-invoker"), 1);
    g_autofree char *outer = g_strndup(eval->file.bytes, eval->file.length);
    uint32_t parent = fid_of(f, outer);
    return write_eval(f, name, parent, (uint32_t)strtoul(eval->line.bytes, NULL, 10));
}

static uint32_t add_file(record_files *f, const char *name)
{
    nytp_eval_name eval;
    if (nytp_eval_name_parse(nytp_str_of(name), &eval))
        return add_eval(f, name, &eval);
    if (strcmp(name, "-e") == 0 || strcmp(name, "-") == 0)
        return write_eval(f, name, 0, 0);
    return write_source(f, name);
}

static uint32_t fid_of(record_files *f, const char *name)
{
    uint32_t fid = GPOINTER_TO_UINT(sampler_recent_find(f->by_name, name));
    if (fid == 0) {
        fid = add_file(f, name);
        sampler_recent_add(f->by_name, g_strdup(name), GUINT_TO_POINTER(fid));
    }
    return fid;
}

uint32_t record_files_fid(record_files *f, const nytp_strings *strings, uint32_t name)
{
    size_t length;
    if (name == SAMPLER_NO_STRING)
        return 0;
    if (f->by_number->len <= name)
        g_array_set_size(f->by_number, name + 1);
    uint32_t *fid = &g_array_index(f->by_number, uint32_t, name);
    if (*fid == 0)
        *fid = fid_of(f, sampler_evals_file(f->evals, nytp_strings_get(strings, name, &length)));
    return *fid;
}
