#include "model/hashes.h"
#include "sampler/sample/hunt.h"

#include "sampler/process/process.h"

#include <glib.h>

typedef struct entry {
    sampler_rejection rejection;
    sampler_process_id process;
    bool is_looked_for; /* since the last look ended */
    char *exe, *why;
    int64_t since_ns; /* when the first look found it to execute exe */
} entry;

struct sampler_rejected {
    GHashTable *by_pid;
};

static void free_entry(void *context)
{
    entry *e = context;
    g_free(e->exe);
    g_free(e->why);
    g_free(e);
}

sampler_rejected *sampler_rejected_new(void)
{
    sampler_rejected *r = g_new0(sampler_rejected, 1);
    r->by_pid = g_hash_table_new_full(nytp_hash_of_number, NULL, NULL, free_entry);
    return r;
}

void sampler_rejected_free(sampler_rejected *r)
{
    g_hash_table_destroy(r->by_pid);
    g_free(r);
}

/* The entry of the same process, whatever it executed then. */
static entry *entry_of(const sampler_rejected *r, const sampler_process *p)
{
    entry *e = g_hash_table_lookup(r->by_pid, GINT_TO_POINTER(p->id.pid));
    return e != NULL && sampler_process_id_is(e->process, p->id) ? e : NULL;
}

const sampler_rejection *sampler_rejected_find(sampler_rejected *r, const sampler_process *p, const char *exe,
                                               int64_t now_ns)
{
    entry *e = entry_of(r, p);
    if (e != NULL)
        e->is_looked_for = true;
    if (e == NULL || !g_str_equal(e->exe, exe))
        return NULL;
    bool settled = e->rejection.found != SAMPLER_NOT_PERL || now_ns - e->since_ns > SAMPLER_SECOND_NS;
    return settled ? &e->rejection : NULL;
}

void sampler_rejected_add(sampler_rejected *r, const sampler_process *p, const char *exe,
                          enum sampler_found found, const char *why, int64_t now_ns)
{
    if (found == SAMPLER_NOT_STARTED || found == SAMPLER_ENDED || found == SAMPLER_NOT_READABLE)
        return;
    const entry *old = entry_of(r, p);
    bool is_same = old != NULL && g_str_equal(old->exe, exe);
    entry *new = g_new0(entry, 1);
    new->process = p->id;
    new->is_looked_for = true;
    new->exe = g_strdup(exe);
    new->why = g_strdup(why);
    new->rejection = (sampler_rejection){found, new->why};
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

void sampler_rejected_end_look(sampler_rejected *r)
{
    g_hash_table_foreach_remove(r->by_pid, is_gone, NULL);
}
