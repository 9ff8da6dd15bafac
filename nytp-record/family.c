#include "family.h"

#include "sampler/sampler.h"

#include "cli/say.h"

#include <errno.h>
#include <glib.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WHY_ROOM = 6000 };

struct record_family {
    sampler_process_id root, above;
    const record_options *options;
    sampler_hunt *hunt;
    GPtrArray *recorders;
    GArray *named; /* of unsigned char: a bit for each pid that a profile's name ends with */
    size_t total;
    record_counts ended;
    enum sampler_found root_found;
    char why[WHY_ROOM];
    char why_not[WHY_ROOM]; /* of the last one that could not be sampled */
    char *hidden;           /* why the first process of another user could not be read; NULL: all could */
    char *file;             /* of the first recorder */
    record_parts *parts;    /* the profiles that become one; NULL with --separate */
    double
        reaped_s;  /* processor time of children that were waited for, less that of those that were sampled */
    char *refused; /* why the first process that is wanted could not be recorded; NULL: all could */
    size_t more;   /* how many others could not for that reason */
    bool failed, is_cut; /* is_cut: a profile was not completed */
    bool is_full;        /* a profile could not be written, so none is begun */
};

static record_recorder *recorder_at(const record_family *f, guint n)
{
    return g_ptr_array_index(f->recorders, n);
}

/* There are at most four million pids. */
static unsigned char *named_byte(const record_family *f, pid_t pid)
{
    guint byte = (guint)pid / CHAR_BIT;
    if (f->named->len <= byte)
        g_array_set_size(f->named, byte + 1);
    return &g_array_index(f->named, unsigned char, byte);
}

static enum record_name_kind name_kind(const record_family *f, pid_t pid)
{
    if (f->total == 0)
        return RECORD_NAME_PLAIN;
    return *named_byte(f, pid) & 1 << pid % CHAR_BIT ? RECORD_NAME_AGAIN : RECORD_NAME_PID;
}

static void note_named(const record_family *f, pid_t pid, enum record_name_kind kind)
{
    if (kind == RECORD_NAME_PID)
        *named_byte(f, pid) |= (unsigned char)(1 << pid % CHAR_BIT);
}

/* Whether this process has started the root. */
static bool is_command(const record_family *f)
{
    return f->above.pid != 0 && !sampler_process_id_is(f->above, f->root);
}

/* What was found in a process before says more than that it has ended. Of a command it is known that it has
 * ended, and so whether its perl had begun does not matter. */
static void note_why(record_family *f, enum sampler_found found, const char *why, bool is_root)
{
    const bool is_first = f->why[0] == '\0';
    const bool is_of_command = is_command(f);
    const bool is_passing = found == SAMPLER_ENDED || (is_of_command && found == SAMPLER_NOT_STARTED);
    if (is_passing ? is_first && is_root && !is_of_command : is_first || is_root)
        g_strlcpy(f->why, why, sizeof f->why);
}

static enum sampler_found begin(void *context, const sampler_subject *subject, const sampler_target **target,
                                const char **why)
{
    record_family *f = context;
    enum sampler_found found;
    const enum record_name_kind kind = name_kind(f, subject->tid);
    f->why_not[0] = '\0';
    *why = f->why_not;
    record_recorder *r =
        record_recorder_new(subject, f->options, kind, &found, f->why_not, sizeof f->why_not);
    if (subject->is_asked_for)
        f->root_found = found;
    if (r == NULL)
        return found;
    *target = record_recorder_target(r);
    g_ptr_array_add(f->recorders, r);
    note_named(f, subject->tid, kind);
    if (f->total++ == 0 && f->options->push == NULL)
        f->file = g_strdup(record_outfile_name(record_recorder_outfile(r)));
    if (f->parts != NULL)
        record_parts_add(f->parts, record_recorder_outfile(r));
    return found;
}

/* A process that is about to end cannot be read, either. */
static void note_hidden(record_family *f, pid_t pid, const char *why)
{
    char path[32];
    struct stat owner;
    snprintf(path, sizeof path, "/proc/%ld", (long)pid);
    if (f->hidden == NULL && stat(path, &owner) == 0 && owner.st_uid != geteuid())
        f->hidden = g_strdup(why);
}

/* The reason without the name of a file or the number of a process. */
static const char *reason_of(const char *why)
{
    const char *last = strstr(why, ": ");
    if (strstr(why, strerror(EMFILE)) != NULL)
        return strerror(EMFILE);
    for (const char *at = last; at != NULL; at = strstr(at + 2, ": "))
        last = at;
    return last != NULL ? last + 2 : why;
}

/* A machine that has no room for one has none for hundreds of others, of which one message is enough. */
static void say_refused(record_family *f, const char *why)
{
    if (f->refused != NULL && strcmp(f->refused, reason_of(why)) == 0) {
        f->more++;
        return;
    }
    if (f->refused == NULL)
        f->refused = g_strdup(reason_of(why));
    nytp_say("%s", why);
}

static void say_more_refused(const record_family *f)
{
    const bool is_of_descriptors = f->more > 0 && strcmp(f->refused, strerror(EMFILE)) == 0;
    if (f->more > 0)
        nytp_say(
            "%s: %zu more could not be recorded%s", f->refused, f->more,
            is_of_descriptors
                ? "; each needs 7 descriptors: raise the hard limit (ulimit -Hn), or sample fewer processes"
                : "");
}

static void reject(void *context, const sampler_subject *subject, enum sampler_found found, const char *why,
                   bool is_new)
{
    record_family *f = context;
    if (!is_new)
        return;
    f->failed = f->failed || found == SAMPLER_NOT_RECORDED;
    if (found == SAMPLER_NO_LAYOUT && !subject->is_asked_for)
        nytp_say("%s", why);
    if (found == SAMPLER_NOT_RECORDED && !subject->is_asked_for)
        say_refused(f, why);
    if (found == SAMPLER_NOT_READABLE)
        note_hidden(f, subject->process.id.pid, why);
    note_why(f, found, why, subject->is_asked_for);
}

record_family *record_family_new(sampler_process_id root, sampler_process_id above,
                                 const record_options *options)
{
    record_family *f = g_new0(record_family, 1);
    f->root = root;
    f->above = above;
    f->options = options;
    f->recorders = g_ptr_array_new();
    f->named = g_array_new(FALSE, TRUE, 1);
    f->parts = options->join ? record_parts_new() : NULL;
    f->root_found = SAMPLER_NOT_STARTED;
    const sampler_hunt_wants wants = {.asked_for = &f->root,
                                      .count = !options->every_perl,
                                      .above = above,
                                      .all = options->every_perl,
                                      .threads = options->threads};
    f->hunt = sampler_hunt_new(&wants, &(sampler_hunter){f, begin, reject});
    return f;
}

void record_family_look(record_family *f)
{
    if (!f->is_full)
        sampler_hunt_look(f->hunt);
}

/* The processor time of a process becomes that of its parent's children when it has ended; that of its
 * children does, too. What has become another program has not ended, but what it needs from then on is in no
 * sample. */
static void add_reaped(record_family *f, bool goes_on, const sampler_process_id process,
                       const record_counts *counts)
{
    const bool has_other_parent = sampler_process_id_is(process, f->root) && !is_command(f);
    if (goes_on || has_other_parent)
        f->reaped_s += counts->children_cpu_s;
    else
        f->reaped_s -= counts->life_cpu_s;
}

static void finish_one(record_family *f, guint n, bool goes_on)
{
    record_recorder *r = recorder_at(f, n);
    const sampler_target *target = record_recorder_target(r);
    const sampler_process_id process = target->process.id;
    const bool is_process = target->slot == 0;
    record_counts counts;
    sampler_hunt_end(f->hunt, record_recorder_target(r));
    f->is_full = record_recorder_failed(r) || f->is_full;
    f->is_cut = record_recorder_finish(r, &counts) < 0 || f->is_cut;
    record_counts_add(&f->ended, &counts);
    if (is_process)
        add_reaped(f, goes_on, process, &counts);
    g_ptr_array_remove_index(f->recorders, n);
}

void record_family_sample(record_family *f)
{
    for (guint n = f->recorders->len; n > 0; n--)
        if (!record_recorder_sample(recorder_at(f, n - 1)))
            finish_one(f, n - 1, false);
}

void record_family_each(const record_family *f, void (*call)(record_recorder *recorder))
{
    for (guint n = 0; n < f->recorders->len; n++)
        call(recorder_at(f, n));
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
    for (guint n = 0; n < f->recorders->len; n++) {
        const record_counts counts = record_recorder_counts(recorder_at(f, n));
        record_counts_add(&sum, &counts);
    }
    return sum;
}

double record_family_reaped_s(const record_family *f)
{
    return f->reaped_s;
}

bool record_family_has_ended(const record_family *f)
{
    return f->is_full && f->recorders->len == 0;
}

bool record_family_failed(const record_family *f)
{
    return f->failed;
}

const char *record_family_why(const record_family *f)
{
    return f->why;
}

const char *record_family_hidden(const record_family *f)
{
    return f->hidden;
}

int64_t record_family_patience_ns(const record_family *f)
{
    if (f->above.pid != 0 || f->root_found == SAMPLER_NOT_STARTED)
        return SAMPLER_SECOND_NS;
    const bool may_change = f->root_found == SAMPLER_NOT_PERL || f->root_found == SAMPLER_NOT_READABLE;
    return may_change ? SAMPLER_SECOND_NS / 5 : 0;
}

const char *record_family_file(const record_family *f)
{
    return f->file;
}

int record_family_finish(record_family *f)
{
    say_more_refused(f);
    while (f->recorders->len > 0)
        finish_one(f, f->recorders->len - 1, true);
    if (f->parts != NULL && record_parts_end(f->parts, f->options->format, !f->is_cut) < 0)
        f->failed = true;
    return f->failed || f->is_cut ? -1 : 0;
}

void record_family_free(record_family *f)
{
    g_ptr_array_free(f->recorders, TRUE);
    g_array_free(f->named, TRUE);
    sampler_hunt_free(f->hunt);
    record_parts_free(f->parts);
    g_free(f->hidden);
    g_free(f->refused);
    g_free(f->file);
    g_free(f);
}
