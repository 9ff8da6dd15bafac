#include "family.h"

#include "sampler/clock.h"
#include "sampler/rejected.h"

#include "cli/say.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

enum { EXE_ROOM = 1024, WHY_ROOM = 6000 };

struct record_family {
    pid_t root;
    const record_options *options;
    bool descendants; /* are wanted, too */
    GPtrArray *recorders;
    record_rejected *rejected;
    size_t total;
    record_counts ended;
    enum record_found root_found;
    char why[WHY_ROOM];
    char *file; /* of the first recorder */
    bool failed;
};

record_family *record_family_new(pid_t root, const record_options *options, bool descendants)
{
    record_family *f = g_new0(record_family, 1);
    f->root = root;
    f->options = options;
    f->descendants = descendants;
    f->recorders = g_ptr_array_new();
    f->rejected = record_rejected_new();
    f->root_found = RECORD_NOT_STARTED;
    return f;
}

static record_recorder *recorder_at(const record_family *f, guint n)
{
    return g_ptr_array_index(f->recorders, n);
}

static bool is_sampled(const record_family *f, pid_t pid)
{
    for (guint n = 0; n < f->recorders->len; n++)
        if (record_recorder_pid(recorder_at(f, n)) == pid)
            return true;
    return false;
}

static void look_at(void *context, const record_process *p)
{
    record_family *f = context;
    char exe[EXE_ROOM], why[WHY_ROOM] = "";
    enum record_found found;
    int64_t now_ns = record_now_ns();
    if (is_sampled(f, p->pid))
        return;
    if (p->state == 'Z' || p->state == 'X') {
        if (p->pid == f->root && f->why[0] == '\0') {
            f->root_found = RECORD_NOT_READABLE;
            snprintf(f->why, sizeof f->why, "%ld: the process has ended (a zombie)", (long)p->pid);
        }
        return;
    }
    record_process_link(p->pid, "exe", exe, sizeof exe);
    if (record_rejected_find(f->rejected, p, exe, now_ns) != NULL)
        return;
    record_recorder *r = record_recorder_new(p->pid, f->options, f->total > 0, &found, why, sizeof why);
    if (p->pid == f->root)
        f->root_found = found;
    if (r != NULL) {
        g_ptr_array_add(f->recorders, r);
        if (f->total++ == 0)
            f->file = g_strdup(record_recorder_file(r));
        return;
    }
    record_rejected_add(f->rejected, p, exe, found, why, now_ns);
    f->failed = f->failed || found == RECORD_NOT_RECORDED;
    if ((found == RECORD_NO_LAYOUT || found == RECORD_NOT_RECORDED) && p->pid != f->root)
        nytp_say("%s", why);
    if (p->pid == f->root || f->why[0] == '\0')
        g_strlcpy(f->why, why, sizeof f->why);
}

void record_family_look(record_family *f)
{
    record_process root;
    if (record_process_read(&root, f->root))
        look_at(f, &root);
    else if (f->total == 0) {
        f->root_found = RECORD_NOT_READABLE;
        snprintf(f->why, sizeof f->why, "%ld: there is no such process", (long)f->root);
    }
    if (f->descendants)
        record_process_descendants(f->root, look_at, f);
}

static void add_counts(record_counts *sum, const record_counts *more)
{
    sum->samples += more->samples;
    sum->torn += more->torn;
    sum->idle += more->idle;
    sum->lost_s += more->lost_s;
}

static void finish_one(record_family *f, guint n)
{
    record_recorder *r = recorder_at(f, n);
    add_counts(&f->ended, record_recorder_counts(r));
    f->failed = record_recorder_finish(r) < 0 || f->failed;
    g_ptr_array_remove_index(f->recorders, n);
}

void record_family_sample(record_family *f)
{
    for (guint n = f->recorders->len; n > 0; n--)
        if (!record_recorder_sample(recorder_at(f, n - 1)))
            finish_one(f, n - 1);
}

void record_family_each_second(record_family *f)
{
    for (guint n = 0; n < f->recorders->len; n++)
        record_recorder_each_second(recorder_at(f, n));
}

void record_family_conclude(record_family *f)
{
    for (guint n = 0; n < f->recorders->len; n++)
        record_recorder_conclude(recorder_at(f, n));
}

size_t record_family_count(const record_family *f)
{
    return f->recorders->len;
}

size_t record_family_total(const record_family *f)
{
    return f->total;
}

record_counts record_family_counts(const record_family *f)
{
    record_counts sum = f->ended;
    for (guint n = 0; n < f->recorders->len; n++)
        add_counts(&sum, record_recorder_counts(recorder_at(f, n)));
    return sum;
}

const char *record_family_why(const record_family *f)
{
    return f->why;
}

bool record_family_is_hopeless(const record_family *f)
{
    return !f->descendants && f->root_found != RECORD_NOT_STARTED;
}

const char *record_family_file(const record_family *f)
{
    return f->file;
}

int record_family_finish(record_family *f)
{
    while (f->recorders->len > 0)
        finish_one(f, f->recorders->len - 1);
    return f->failed ? -1 : 0;
}

void record_family_free(record_family *f)
{
    g_ptr_array_free(f->recorders, TRUE);
    record_rejected_free(f->rejected);
    g_free(f->file);
    g_free(f);
}
