#include "watch.h"

#include "base/hash.h"
#include "model/hashes.h"
#include "sampler/sampler.h"

#include "nytprof.h"

#include <glib.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* Inclusive times of outermost calls: a call of a sub within another one of it must not count twice. Returns
 * come innermost first, so what was added for the inner calls is taken out when the outer one returns.
 * Of deeper calls, and of more subs below one call, the inner ones count, too: memory must not grow with a
 * hostile file, nor with names of evals. */
enum { MOST_DEPTH = 1 << 20, MOST_SUBS = 20000 };

static void free_level(gpointer level)
{
    if (level != NULL)
        g_hash_table_destroy(level);
}

/* A hash stands for a sub: that two of some thousands have the same one does not happen. */
static void *key_of(nytp_str sub)
{
    _Static_assert(sizeof(void *) == sizeof(uint64_t), "a hash fits into a pointer");
    return (void *)(uintptr_t)nytp_hash_bytes(sub.bytes, sub.length);
}

static void add_seconds(GHashTable *level, void *key, double seconds)
{
    double *sum = g_hash_table_lookup(level, key);
    if (sum == NULL) {
        sum = g_new0(double, 1);
        g_hash_table_insert(level, key, sum);
    }
    *sum += seconds;
}

/* Adds the calls of a level to those of the one above it, the smaller table to the larger one. */
static void move_up(GPtrArray *levels, uint32_t depth)
{
    GHashTable *inner = levels->pdata[depth + 1], *outer = levels->pdata[depth];
    levels->pdata[depth + 1] = NULL;
    if (outer != NULL && g_hash_table_size(outer) < g_hash_table_size(inner)) {
        GHashTable *larger = inner;
        inner = outer;
        outer = larger;
    }
    levels->pdata[depth] = outer != NULL ? outer : inner;
    if (outer == NULL)
        return;
    GHashTableIter each;
    gpointer key, seconds;
    g_hash_table_iter_init(&each, inner);
    while (g_hash_table_iter_next(&each, &key, &seconds))
        add_seconds(outer, key, *(double *)seconds);
    g_hash_table_destroy(inner);
    if (g_hash_table_size(outer) > MOST_SUBS)
        g_hash_table_remove_all(outer);
}

/* Takes a return, with its depth and inclusive time as SUB_RETURN has them. Returns by how much the inclusive
 * time of the sub grows. */
static double growth_of(GPtrArray *levels, nytp_str sub, uint32_t depth, double incl_s)
{
    if (depth > MOST_DEPTH)
        return incl_s;
    g_ptr_array_set_size(levels, (gint)depth + 2);
    GHashTable **inner = (GHashTable **)&levels->pdata[depth + 1];
    if (*inner == NULL)
        *inner = g_hash_table_new_full(nytp_hash_of_number, NULL, NULL, g_free);
    void *key = key_of(sub);
    const double *within = g_hash_table_lookup(*inner, key);
    const double grows_s = incl_s - (within != NULL ? *within : 0);
    add_seconds(*inner, key, grows_s);
    move_up(levels, depth);
    return grows_s;
}

enum { NAME_ROOM = 4096, MOST_EVALS = 8192 /* whose names are remembered */ };

struct top_follow {
    char *path;
    top_tables *tables;
    pthread_mutex_t *lock;
    pthread_t thread;
    atomic_bool end_wanted;
    bool ended, has_begun, failed;
    bool has_caught_up; /* what comes from here on has just been written */
    char why[600];
    GHashTable *files;     /* names by fid */
    sampler_recent *evals; /* the same of evals, of which there may be millions */
    /* By depth: a table for the calls of that depth that have returned, and whose caller has not: inclusive
     * seconds of the outermost calls among them and below them, by sub. NULL if none. */
    GPtrArray *levels;
};

static bool go_on(void *context)
{
    return !atomic_load(&((top_follow *)context)->end_wanted);
}

/* All that there is was read. */
static bool wait_for_more(void *context)
{
    top_follow *f = context;
    pthread_mutex_lock(f->lock);
    top_follow_forget_old(f);
    f->has_caught_up = true;
    pthread_mutex_unlock(f->lock);
    return go_on(f);
}

static const char *name_of(const top_follow *f, uint32_t fid)
{
    const char *file = g_hash_table_lookup(f->files, GUINT_TO_POINTER(fid));
    return file != NULL ? file : sampler_recent_find(f->evals, GUINT_TO_POINTER(fid));
}

static void add_file(const top_follow *f, uint32_t fid, bool is_eval, nytp_str name)
{
    char *text = g_strndup(name.bytes, name.length);
    if (is_eval)
        sampler_recent_add(f->evals, GUINT_TO_POINTER(fid), text);
    else
        g_hash_table_replace(f->files, GUINT_TO_POINTER(fid), text);
}

static void add_line(top_follow *f, const nytp_chunk *chunk, double ticks_per_sec)
{
    char place[NAME_ROOM];
    const char *file = name_of(f, chunk->time.fid);
    double seconds = chunk->time.ticks / ticks_per_sec;
    snprintf(place, sizeof place, "%s:%u", file != NULL ? file : "?", (unsigned)chunk->time.line);
    top_counts_add(f->tables->of[TOP_LINES], place, seconds, seconds);
    top_counts_add_whole(f->tables->of[TOP_SUBS], seconds);
    top_counts_add_whole(f->tables->of[TOP_PACKAGES], seconds);
}

static void add_return(top_follow *f, const nytp_chunk *chunk, double ticks_per_sec)
{
    char name[NAME_ROOM], package[NAME_ROOM];
    const nytp_str sub = chunk->sub_return.name;
    size_t length = MIN(sub.length, sizeof name - 1);
    memcpy(name, sub.bytes, length);
    name[length] = '\0';
    top_package_of(name, package, sizeof package);
    const double self_s = chunk->sub_return.excl_ticks / ticks_per_sec,
                 incl_s = chunk->sub_return.incl_ticks / ticks_per_sec;
    top_counts_add(f->tables->of[TOP_SUBS], name, self_s,
                   growth_of(f->levels, sub, chunk->sub_return.depth, incl_s));
    top_counts_add(f->tables->of[TOP_PACKAGES], package, self_s, self_s);
    top_counts_add_whole(f->tables->of[TOP_LINES], self_s);
}

static void add(top_follow *f, const nytp_chunk *chunk, double ticks_per_sec)
{
    switch (chunk->tag) {
    case NYTP_NEW_FID:
        add_file(f, chunk->new_fid.fid, chunk->new_fid.eval_fid != 0, chunk->new_fid.name);
        break;
    case NYTP_TIME_LINE:
    case NYTP_TIME_BLOCK: add_line(f, chunk, ticks_per_sec); break;
    case NYTP_SUB_RETURN: add_return(f, chunk, ticks_per_sec); break;
    case NYTP_PID_START: g_ptr_array_set_size(f->levels, 0); break;
    default: break;
    }
}

/* The reader waits inside nytp_reader_next(), so the lock is held for one chunk at a time. */
static int read_all(top_follow *f, nytp_reader *reader)
{
    nytp_chunk chunk;
    int rc;
    while ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK && go_on(f)) {
        double ticks_per_sec = nytp_reader_ticks_per_sec(reader);
        pthread_mutex_lock(f->lock);
        f->has_begun = true;
        add(f, &chunk, ticks_per_sec);
        pthread_mutex_unlock(f->lock);
    }
    return rc;
}

static void *follow(void *context)
{
    top_follow *f = context;
    nytp_reader *reader = nytp_reader_new(nytp_source_follow(f->path, wait_for_more, f));
    int rc = NYTP_ERR_MEMORY; /* without a reader */
    if (reader != NULL) {
        nytp_reader_set_threads(reader, NYTP_THREADS_NEVER);
        nytp_reader_set_tags(reader, nytp_tag_bit(NYTP_NEW_FID) | nytp_tag_bit(NYTP_TIME_LINE) |
                                         nytp_tag_bit(NYTP_TIME_BLOCK) | nytp_tag_bit(NYTP_SUB_RETURN) |
                                         nytp_tag_bit(NYTP_PID_START));
        rc = read_all(f, reader);
    }
    pthread_mutex_lock(f->lock);
    f->ended = true;
    f->failed = rc < 0 && !f->has_begun;
    if (rc != NYTP_END)
        g_strlcpy(f->why, reader != NULL ? nytp_reader_error(reader)->message : "out of memory",
                  sizeof f->why);
    pthread_mutex_unlock(f->lock);
    nytp_reader_free(reader);
    return NULL;
}

void top_follow_forget_old(top_follow *f)
{
    if (!f->has_caught_up)
        top_tables_forget_recent(f->tables);
}

void top_follow_fall_behind(top_follow *f)
{
    f->has_caught_up = false;
}

static void free_follow(top_follow *f)
{
    g_hash_table_destroy(f->files);
    sampler_recent_free(f->evals);
    g_ptr_array_free(f->levels, TRUE);
    g_free(f->path);
    g_free(f);
}

top_follow *top_follow_new(const char *path, top_tables *tables, pthread_mutex_t *lock)
{
    top_follow *f = g_new0(top_follow, 1);
    f->path = g_strdup(path);
    f->tables = tables;
    f->lock = lock;
    f->files = g_hash_table_new_full(nytp_hash_of_number, NULL, NULL, g_free);
    f->evals = sampler_recent_new(MOST_EVALS, nytp_hash_of_number, NULL, NULL, g_free);
    f->levels = g_ptr_array_new_with_free_func(free_level);
    if (pthread_create(&f->thread, NULL, follow, f) == 0)
        return f;
    free_follow(f);
    return NULL;
}

bool top_follow_ended(const top_follow *f, const char **why)
{
    *why = f->why;
    return f->ended;
}

bool top_follow_failed(const top_follow *f)
{
    return f->failed;
}

void top_follow_free(top_follow *f)
{
    atomic_store(&f->end_wanted, true);
    pthread_join(f->thread, NULL);
    free_follow(f);
}
