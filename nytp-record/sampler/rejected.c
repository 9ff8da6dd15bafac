#include "rejected.h"

#include "clock.h"

#include <glib.h>

typedef struct entry {
    record_rejection rejection;
    gint pid;
    uint64_t start_ticks;
    char *exe, *why;
    int64_t since_ns; /* when the first look found it to execute exe */
} entry;

struct record_rejected {
    GHashTable *by_pid;
};

static void free_entry(void *context)
{
    entry *e = context;
    g_free(e->exe);
    g_free(e->why);
    g_free(e);
}

record_rejected *record_rejected_new(void)
{
    record_rejected *r = g_new0(record_rejected, 1);
    r->by_pid = g_hash_table_new_full(g_int_hash, g_int_equal, NULL, free_entry);
    return r;
}

void record_rejected_free(record_rejected *r)
{
    g_hash_table_destroy(r->by_pid);
    g_free(r);
}

/* The entry of the same process, whatever it executed then. Pids are used again. */
static const entry *entry_of(const record_rejected *r, const record_process *p)
{
    gint pid = p->pid;
    const entry *e = g_hash_table_lookup(r->by_pid, &pid);
    return e != NULL && e->start_ticks == p->start_ticks ? e : NULL;
}

const record_rejection *record_rejected_find(const record_rejected *r, const record_process *p,
                                             const char *exe, int64_t now_ns)
{
    const entry *e = entry_of(r, p);
    if (e == NULL || !g_str_equal(e->exe, exe))
        return NULL;
    bool settled = e->rejection.found != RECORD_NOT_PERL || now_ns - e->since_ns > RECORD_SECOND_NS;
    return settled ? &e->rejection : NULL;
}

void record_rejected_add(record_rejected *r, const record_process *p, const char *exe,
                         enum record_found found, const char *why, int64_t now_ns)
{
    if (found == RECORD_NOT_STARTED || found == RECORD_NOT_READABLE)
        return;
    const entry *old = entry_of(r, p);
    bool is_same = old != NULL && g_str_equal(old->exe, exe);
    entry *new = g_new0(entry, 1);
    new->pid = p->pid;
    new->start_ticks = p->start_ticks;
    new->exe = g_strdup(exe);
    new->why = g_strdup(why);
    new->rejection = (record_rejection){found, new->why};
    new->since_ns = is_same ? old->since_ns : now_ns;
    g_hash_table_replace(r->by_pid, &new->pid, new);
}
