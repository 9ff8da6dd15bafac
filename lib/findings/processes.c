#include "findings/finder.h"

#include "base/order.h"
#include "export/amount.h"
#include "model/grow.h"
#include "model/hashes.h"

#include <math.h>

/* A process, and those that the same one started; none of them started another. */
typedef struct siblings {
    const nytp_process *last; /* to end */
    double last_work_s;
    double others_end_s;
    GArray *work_s; /* of the others */
} siblings;

static gint by_seconds(gconstpointer a, gconstpointer b)
{
    return NYTP_ORDER(*(const double *)a, *(const double *)b);
}

/* Returns the pids of processes that started others. */
static GHashTable *parents_of(const nytp_profile *profile)
{
    GHashTable *parents = g_hash_table_new(nytp_hash_of_number, NULL);
    const nytp_process *p;
    for (size_t i = 0; (p = nytp_profile_process(profile, i)) != NULL; i++)
        g_hash_table_add(parents, GUINT_TO_POINTER(p->parent));
    return parents;
}

/* Returns the index of the process without children that ended last; SIZE_MAX if there is none. Stores when
 * the first process began. */
static size_t last_of(const nytp_profile *profile, GHashTable *parents, double *begin_s)
{
    const nytp_process *p, *last = NULL;
    size_t found = SIZE_MAX;
    *begin_s = INFINITY;
    for (size_t i = 0; (p = nytp_profile_process(profile, i)) != NULL; i++) {
        *begin_s = fmin(*begin_s, p->start_s);
        if (g_hash_table_contains(parents, GUINT_TO_POINTER(p->pid)) ||
            (last != NULL && last->end_s >= p->end_s))
            continue;
        last = p;
        found = i;
    }
    return found;
}

/* Returns whether it is known how long each of them worked. */
static bool find_siblings(siblings *s, const nytp_profile *profile, const nytp_process_times *times,
                          GHashTable *parents, size_t last)
{
    const nytp_process *p;
    s->last = nytp_profile_process(profile, last);
    for (size_t i = 0; (p = nytp_profile_process(profile, i)) != NULL; i++) {
        const double work_s = nytp_process_work_s(nytp_process_times_get(times, i));
        if (p->parent != s->last->parent || g_hash_table_contains(parents, GUINT_TO_POINTER(p->pid)))
            continue;
        if (!p->ended || work_s < 0)
            return false;
        if (i == last) {
            s->last_work_s = work_s;
            continue;
        }
        s->others_end_s = fmax(s->others_end_s, p->end_s);
        g_array_append_val(s->work_s, work_s);
    }
    g_array_sort(s->work_s, by_seconds);
    return s->work_s->len > 1;
}

static char *seconds_text(const nytp_finder *f, double seconds)
{
    return g_strdup(nytp_amount_measured(&f->measure, seconds).text);
}

void nytp_find_slow_process(nytp_finder *f, const nytp_process_times *times)
{
    const double much = 1.8, long_share = 0.15;
    siblings s = {.work_s = NYTP_ARRAY(double)};
    double begin_s;
    GHashTable *parents = parents_of(f->profile);
    const size_t last = last_of(f->profile, parents, &begin_s);
    if (last != SIZE_MAX && find_siblings(&s, f->profile, times, parents, last)) {
        const double usual_s = g_array_index(s.work_s, double, s.work_s->len / 2),
                     alone_s = s.last->end_s - s.others_end_s, whole_s = s.last->end_s - begin_s;
        g_autofree char *subject = g_strdup_printf("Process %u", s.last->pid),
                        *alone = seconds_text(f, alone_s), *whole = seconds_text(f, whole_s);
        const guint before = f->found->len;
        const bool began_beside_them = s.last->start_s < s.others_end_s; /* runs in a row wait for none */
        if (began_beside_them && usual_s > 0 && s.last_work_s > much * usual_s &&
            alone_s > long_share * whole_s)
            nytp_find(f, NYTP_FOUND_SLOW_PROCESS, s.last_work_s * f->measure.ticks_per_base,
                      (nytp_found_place){.subject = subject, .sub = UINT32_MAX},
                      "works %.1f times as long as the other %u usually do, and alone for the last %s of %s",
                      s.last_work_s / usual_s, s.work_s->len, alone, whole);
        if (f->found->len > before)
            g_array_index(f->found, nytp_finding, before).pid = s.last->pid;
    }
    g_array_free(s.work_s, TRUE);
    g_hash_table_destroy(parents);
}
