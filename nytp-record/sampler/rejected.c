#include "rejected.h"

#include "clock.h"

#include <glib.h>

typedef struct entry {
    record_rejection rejection;
    record_process_id process;
    bool is_looked_for; /* since the last look ended */
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
    r->by_pid = g_hash_table_new_full(NULL, NULL, NULL, free_entry);
    return r;
}

void record_rejected_free(record_rejected *r)
{
    g_hash_table_destroy(r->by_pid);
    g_free(r);
}

/* The entry of the same process, whatever it executed then. */
static entry *entry_of(const record_rejected *r, const record_process *p)
{
    entry *e = g_hash_table_lookup(r->by_pid, GINT_TO_POINTER(p->id.pid));
    return e != NULL && record_process_id_is(e->process, p->id) ? e : NULL;
}

const record_rejection *record_rejected_find(record_rejected *r, const record_process *p, const char *exe,
                                             int64_t now_ns)
{
    entry *e = entry_of(r, p);
    if (e != NULL)
        e->is_looked_for = true;
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
    new->process = p->id;
    new->is_looked_for = true;
    new->exe = g_strdup(exe);
    new->why = g_strdup(why);
    new->rejection = (record_rejection){found, new->why};
    new->since_ns = is_same ? old->since_ns : now_ns;
    g_hash_table_replace(r->by_pid, GINT_TO_POINTER(p->id.pid), new);
}

static gboolean is_gone(void *key, void *value, void *context)
{
    entry *e = value;
    bool gone = !e->is_looked_for;
    (void)key;
    (void)context;
    e->is_looked_for = false;
    return gone;
}

void record_rejected_end_look(record_rejected *r)
{
    g_hash_table_foreach_remove(r->by_pid, is_gone, NULL);
}
