#include "sampler/sample/hunt.h"

#include "sampler/process/process.h"

#include "model/hashes.h"

#include <glib.h>

enum { EXE_ROOM = 1024 };

struct sampler_hunt {
    sampler_hunt_wants wants;
    sampler_hunter hunter;
    sampler_descent *descent; /* of wants.above; NULL: of nothing */
    GHashTable *by_tid;       /* the targets that are sampled */
    sampler_rejected *rejected;
    GArray *threads; /* of sampler_subject: found in the target that is looked at */
};

sampler_hunt *sampler_hunt_new(const sampler_hunt_wants *wants, const sampler_hunter *hunter)
{
    sampler_hunt *h = g_new0(sampler_hunt, 1);
    h->wants = *wants;
    h->hunter = *hunter;
    h->descent = wants->above.pid != 0 ? sampler_descent_new(wants->above) : NULL;
    h->by_tid = g_hash_table_new(nytp_hash_of_number, NULL);
    h->rejected = sampler_rejected_new();
    h->threads = g_array_new(FALSE, FALSE, sizeof(sampler_subject));
    return h;
}

void sampler_hunt_free(sampler_hunt *h)
{
    sampler_descent_free(h->descent);
    g_hash_table_destroy(h->by_tid);
    sampler_rejected_free(h->rejected);
    g_array_free(h->threads, TRUE);
    g_free(h);
}

/* Another process that has its pid may be sampled already. */
void sampler_hunt_end(sampler_hunt *h, const sampler_target *target)
{
    if (g_hash_table_lookup(h->by_tid, GINT_TO_POINTER(target->tid)) == target)
        g_hash_table_remove(h->by_tid, GINT_TO_POINTER(target->tid));
}

static const sampler_target *sampled(const sampler_hunt *h, const sampler_process *process, pid_t tid)
{
    const sampler_target *target = g_hash_table_lookup(h->by_tid, GINT_TO_POINTER(tid));
    return target != NULL && sampler_process_id_is(target->process.id, process->id) ? target : NULL;
}

static void begin(sampler_hunt *h, const sampler_subject *subject, const char *exe)
{
    const sampler_target *target = NULL;
    const char *why = "";
    enum sampler_found found = h->hunter.begin(h->hunter.context, subject, &target, &why);
    if (found == SAMPLER_FOUND) {
        g_hash_table_replace(h->by_tid, GINT_TO_POINTER(subject->tid), (gpointer)(uintptr_t)target);
        return;
    }
    if (exe != NULL)
        sampler_rejected_add(h->rejected, &subject->process, exe, found, why, sampler_now_ns());
    h->hunter.reject(h->hunter.context, subject, found, why, true);
}

/* The list may have a thread twice if the process has damaged it. */
static void note_thread(void *context, pid_t tid, uint64_t slot)
{
    sampler_hunt *h = context;
    sampler_subject thread = g_array_index(h->threads, sampler_subject, 0);
    for (guint n = 0; n < h->threads->len; n++)
        if (g_array_index(h->threads, sampler_subject, n).tid == tid)
            return;
    if (sampled(h, &thread.process, tid) != NULL)
        return;
    thread.tid = tid;
    thread.slot = slot;
    thread.is_asked_for = false;
    g_array_append_val(h->threads, thread);
}

/* A thread that ends meanwhile is not worth a word. */
static void look_at_threads(sampler_hunt *h, const sampler_target *target, const sampler_subject *first)
{
    g_array_set_size(h->threads, 0);
    g_array_append_val(h->threads, *first);
    sampler_threads_others(target, note_thread, h);
    for (guint n = 1; n < h->threads->len; n++)
        begin(h, &g_array_index(h->threads, sampler_subject, n), NULL);
}

static void look_at(sampler_hunt *h, const sampler_process *process, bool is_asked_for)
{
    char exe[EXE_ROOM];
    const sampler_subject subject = {*process, process->id.pid, 0, is_asked_for};
    const sampler_target *target = sampled(h, process, process->id.pid);
    if (target == NULL) {
        sampler_process_link(process->id.pid, "exe", exe, sizeof exe);
        const sampler_rejection *known = sampler_rejected_find(h->rejected, process, exe, sampler_now_ns());
        if (known != NULL)
            h->hunter.reject(h->hunter.context, &subject, known->found, known->why, false);
        else
            begin(h, &subject, exe);
        target = sampled(h, process, process->id.pid);
    }
    if (target != NULL && h->wants.threads)
        look_at_threads(h, target, &subject);
}

static bool is_asked_for(const sampler_hunt *h, sampler_process_id id)
{
    for (size_t n = 0; n < h->wants.count; n++)
        if (sampler_process_id_is(h->wants.asked_for[n], id))
            return true;
    return false;
}

static void look_at_other(void *context, const sampler_process *process)
{
    sampler_hunt *h = context;
    if (!is_asked_for(h, process->id) && !process->kernel && !sampler_process_has_ended(process))
        look_at(h, process, false);
}

static bool read_asked_for(const sampler_hunt *h, size_t n, sampler_process *process)
{
    const sampler_process_id id = h->wants.asked_for[n];
    if (sampler_process_read(process, id.pid) && sampler_process_id_is(process->id, id))
        return true;
    *process = (sampler_process){.id = id}; /* who samples finds out why there is no such process */
    return false;
}

void sampler_hunt_look(sampler_hunt *h)
{
    sampler_process process;
    for (size_t n = 0; n < h->wants.count; n++) {
        read_asked_for(h, n, &process);
        look_at(h, &process, true);
    }
    if (h->descent != NULL)
        sampler_descent_look(h->descent, look_at_other, h);
    for (size_t n = 0; h->wants.children && h->descent == NULL && n < h->wants.count; n++)
        sampler_process_descendants(h->wants.asked_for[n], look_at_other, h);
    if (h->wants.all)
        sampler_process_all(look_at_other, h);
    sampler_rejected_end_look(h->rejected);
}

bool sampler_hunt_goes_on(const sampler_hunt *h)
{
    sampler_process process;
    for (size_t n = 0; n < h->wants.count; n++)
        if (read_asked_for(h, n, &process) && !sampler_process_has_ended(&process))
            return true;
    return false;
}
