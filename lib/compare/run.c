#include "compare/match.h"

#include "base/labels.h"
#include "base/str.h"
#include "base/ticks.h"
#include "model/grow.h"
#include "model/whole.h"
#include "calls/calltree.h"
#include "model/eval_name.h"
#include "model/origin.h"
#include "model/package.h"
#include "model/states.h"
#include "model/waits.h"

#include <math.h>
#include <string.h>

void nytp_keys_init(nytp_keys *keys)
{
    keys->subs = nytp_names_new();
    keys->files = nytp_names_new();
    keys->packages = nytp_names_new();
    keys->labels = nytp_names_new();
    keys->kinds = nytp_names_new();
    keys->label_of_sub = NYTP_ZEROED_ARRAY(uint32_t);
    nytp_pairs_init(&keys->lines);
    nytp_pairs_init(&keys->stacks);
    nytp_pairs_init(&keys->calls);
    nytp_pairs_init(&keys->places);
    nytp_pairs_intern(&keys->stacks, (nytp_pair){0, UINT32_MAX});
}

void nytp_keys_clear(nytp_keys *keys)
{
    nytp_names_free(keys->subs);
    nytp_names_free(keys->files);
    nytp_names_free(keys->packages);
    nytp_names_free(keys->labels);
    nytp_names_free(keys->kinds);
    g_array_free(keys->label_of_sub, TRUE);
    nytp_pairs_clear(&keys->lines);
    nytp_pairs_clear(&keys->stacks);
    nytp_pairs_clear(&keys->calls);
    nytp_pairs_clear(&keys->places);
}

uint32_t nytp_keys_count(const nytp_keys *keys, enum nytp_compared kind)
{
    switch (kind) {
    case NYTP_COMPARE_SUBS: return nytp_names_count(keys->subs);
    case NYTP_COMPARE_LINES: return keys->lines.count;
    case NYTP_COMPARE_FILES: return nytp_names_count(keys->files);
    case NYTP_COMPARE_PACKAGES: return nytp_names_count(keys->packages);
    case NYTP_COMPARE_CALLS: return keys->calls.count;
    case NYTP_COMPARE_PLACES: return keys->places.count;
    case NYTP_COMPARE_LABELS: return nytp_names_count(keys->labels);
    case NYTP_COMPARE_KINDS: return nytp_names_count(keys->kinds);
    default: return keys->stacks.count;
    }
}

typedef struct reading {
    nytp_run *run;
    nytp_keys *keys;
    const nytp_profile *profile;
    nytp_portable *portable;
    nytp_totals totals;
    nytp_records line_waits; /* nytp_line_waited */
} reading;

static uint32_t key_of(const reading *r, nytp_names *names, nytp_str name)
{
    g_autoptr(GString) portable = nytp_portable_name(r->portable, name);
    const nytp_str s = {portable->str, portable->len, name.utf8};
    return nytp_names_intern(names, &s, NULL);
}

void nytp_measured_add(nytp_measured *sum, const nytp_measured *m)
{
    sum->excl += m->excl;
    sum->incl += m->incl;
    sum->count += m->count;
    sum->work += m->work;
    sum->asleep += m->asleep;
    sum->queued += m->queued;
    sum->kept += m->kept;
    sum->variance += m->variance;
}

void nytp_run_add(nytp_run *run, enum nytp_compared kind, uint32_t key, const nytp_measured *m)
{
    if (key >= run->of[kind]->len)
        g_array_set_size(run->of[kind], key + 1);
    nytp_measured_add(&g_array_index(run->of[kind], nytp_measured, key), m);
}

/* Returns the parts of a time, in the measure's base unit. */
static nytp_measured parts_of(double ticks, nytp_waited waited, double ticks_per_base)
{
    const nytp_spent spent = nytp_spent_of(ticks, waited);
    return (nytp_measured){.work = spent.work_ticks / ticks_per_base,
                           .asleep = spent.asleep_ticks / ticks_per_base,
                           .queued = spent.queued_ticks / ticks_per_base};
}

static double amount_of(const reading *r, int64_t ticks)
{
    return (double)ticks / r->run->measure.ticks_per_base;
}

/* Arcs of samples do not count calls. The samples of a sub are its share of the profile's. Of memory, arcs
 * have the blocks. */
static nytp_measured measured_of(const reading *r, const nytp_arc *arc)
{
    r->run->lacks_kept |= arc->lacks_kept;
    return (nytp_measured){.excl = amount_of(r, arc->excl_ticks),
                           .incl = amount_of(r, arc->incl_ticks),
                           .kept = arc->lacks_kept ? 0 : (double)arc->own_kept_values,
                           .count = nytp_run_is_of_shares(r->run)
                                        ? (double)nytp_samples_of((double)arc->excl_ticks, &r->totals)
                                        : (double)arc->count};
}

static uint32_t label_key(const nytp_keys *keys, enum nytp_label_kind kind, const char *text, size_t length)
{
    g_autofree char *name = g_strdup_printf("%s: %.*s", nytp_label_kinds[kind], (int)length, text);
    return nytp_names_intern(keys->labels, &(nytp_str){name, strlen(name), true}, NULL);
}

static void note_label(const reading *r, nytp_str name, uint32_t sub_key)
{
    nytp_label label;
    if (!nytp_sub_label(r->profile, name, &label))
        return;
    if (sub_key >= r->keys->label_of_sub->len)
        g_array_set_size(r->keys->label_of_sub, sub_key + 1);
    g_autofree char *text = nytp_by_label_text(&label);
    g_array_index(r->keys->label_of_sub, uint32_t, sub_key) =
        label_key(r->keys, label.kind, text, strlen(text)) + 1;
}

static nytp_measured *by_number(const reading *r)
{
    const uint32_t count = nytp_profile_sub_count(r->profile);
    nytp_measured *subs = g_new0(nytp_measured, count);
    for (size_t i = 0; i < nytp_profile_arc_count(r->profile); i++) {
        const nytp_arc *arc = nytp_profile_arc(r->profile, i);
        const nytp_measured m = measured_of(r, arc);
        nytp_measured_add(&subs[arc->callee], &m);
        r->run->whole.kept += m.kept;
    }
    return subs;
}

/* Code outside of subs has the rest of the time, once for each process. */
static nytp_measured outside_of_subs(const reading *r)
{
    const double ticks = nytp_outside((double)r->totals.statement_ticks, (double)r->totals.excl_ticks);
    return (nytp_measured){.excl = amount_of(r, nytp_whole_ticks(ticks)),
                           .incl = r->run->whole.incl,
                           .count = (double)nytp_profile_process_count(r->profile)};
}

static void add_to_package(const reading *r, nytp_str sub, const nytp_measured *m)
{
    const nytp_str package = {sub.bytes, nytp_package_length(sub), sub.utf8};
    nytp_run_add(r->run, NYTP_COMPARE_PACKAGES, nytp_names_intern(r->keys->packages, &package, NULL), m);
}

static void read_subs(const reading *r)
{
    g_autofree nytp_measured *subs = by_number(r);
    for (uint32_t i = 0; i < nytp_profile_sub_count(r->profile); i++) {
        nytp_sub sub;
        nytp_profile_sub(r->profile, i, &sub);
        if (nytp_str_is(sub.name, NYTP_RUNTIME) && r->totals.statements > 0)
            subs[i] = outside_of_subs(r);
        r->run->sub_key[i] = NYTP_NO_KEY;
        if (subs[i].count == 0 && subs[i].excl == 0 && subs[i].incl == 0)
            continue;
        r->run->sub_key[i] = key_of(r, r->keys->subs, sub.name);
        note_label(r, sub.name, r->run->sub_key[i]);
        nytp_run_add(r->run, NYTP_COMPARE_SUBS, r->run->sub_key[i], &subs[i]);
        subs[i].incl = 0; /* a package's is not the sum over its subs */
        add_to_package(r, sub.name, &subs[i]);
    }
}

static void read_file(const reading *r, const nytp_file *file)
{
    const uint32_t key = r->run->file_key[file->number] = key_of(r, r->keys->files, file->name);
    nytp_line line;
    for (uint64_t from = 0; nytp_profile_next_line(r->profile, file->fid, &from, &line);) {
        nytp_measured m = parts_of(
            (double)line.ticks, nytp_line_waits_at(&r->line_waits, file->fid, line.line, (double)line.ticks),
            r->run->measure.ticks_per_base);
        m.excl = amount_of(r, line.ticks);
        m.count = (double)line.count;
        const uint32_t place = nytp_pairs_intern(&r->keys->lines, (nytp_pair){key, line.line});
        nytp_run_add(r->run, NYTP_COMPARE_LINES, place, &m);
        nytp_run_add(r->run, NYTP_COMPARE_FILES, key, &m);
    }
}

static void read_files(reading *r)
{
    r->line_waits = nytp_profile_line_waits(r->profile);
    for (size_t i = 0; i < nytp_profile_file_count(r->profile); i++)
        read_file(r, nytp_profile_file(r->profile, i));
    nytp_records_clear(&r->line_waits);
}

/* A caller of which no call was recorded is outside, too. */
static uint32_t caller_key(const reading *r, uint32_t number)
{
    nytp_sub sub;
    const bool is_known = nytp_profile_sub(r->profile, number, &sub) && !nytp_sub_is_root(&sub);
    return is_known ? r->run->sub_key[number] : NYTP_NO_KEY;
}

static uint32_t line_key(const reading *r, const nytp_arc *arc)
{
    const nytp_file *file = nytp_profile_file_by_fid(r->profile, arc->fid);
    const uint32_t key = file != NULL ? r->run->file_key[file->number] : NYTP_NO_KEY;
    return nytp_pairs_intern(&r->keys->lines, (nytp_pair){key, arc->line});
}

static void read_calls(const reading *r)
{
    for (size_t i = 0; i < nytp_profile_arc_count(r->profile); i++) {
        const nytp_arc *arc = nytp_profile_arc(r->profile, i);
        const nytp_measured m = measured_of(r, arc);
        const uint32_t callee = r->run->sub_key[arc->callee];
        if (callee == NYTP_NO_KEY)
            continue;
        const uint32_t calls =
            nytp_pairs_intern(&r->keys->calls, (nytp_pair){caller_key(r, arc->caller), callee});
        const uint32_t place = nytp_pairs_intern(&r->keys->places, (nytp_pair){calls, line_key(r, arc)});
        nytp_run_add(r->run, NYTP_COMPARE_CALLS, calls, &m);
        nytp_run_add(r->run, NYTP_COMPARE_PLACES, place, &m);
    }
}

/* A call on the path. A string eval is a part of the sub that runs it. */
typedef struct entered {
    uint32_t stack; /* keys: of what the call is below and itself, */
    uint32_t sub;   /* of its sub, NYTP_NO_KEY outside of subs, */
    uint32_t calls; /* and of that and its caller */
} entered;

typedef struct walk {
    const reading *r;
    nytp_calltree *tree;
    double ticks_per_base; /* of the tree */
    GArray *path;          /* entered */
    GArray *subs;          /* uint32_t: by number of the tree, the key + 1; 0: not yet known */
} walk;

static uint32_t sub_key(const walk *w, const nytp_call *call)
{
    if (call->sub >= w->subs->len)
        g_array_set_size(w->subs, call->sub + 1);
    uint32_t *key = &g_array_index(w->subs, uint32_t, call->sub);
    if (*key == 0)
        *key = key_of(w->r, w->r->keys->subs, call->name) + 1;
    return *key - 1;
}

/* The other numbers of subs, packages and calls are those of arcs. */
static void add_parts(const walk *w, const entered *call, const nytp_measured *parts)
{
    if (!w->tree->sink.needs_waited || call->sub == NYTP_NO_KEY)
        return;
    nytp_run_add(w->r->run, NYTP_COMPARE_SUBS, call->sub, parts);
    nytp_run_add(w->r->run, NYTP_COMPARE_CALLS, call->calls, parts);
    add_to_package(w->r, nytp_names_get(w->r->keys->subs, call->sub), parts);
}

static bool add_call(void *context, const nytp_call *call)
{
    walk *w = context;
    nytp_keys *keys = w->r->keys;
    static const entered outside = {0, NYTP_NO_KEY, NYTP_NO_KEY};
    const entered caller = call->depth > 0 ? g_array_index(w->path, entered, call->depth - 1) : outside;
    const uint32_t sub = sub_key(w, call);
    entered here = {nytp_pairs_intern(&keys->stacks, (nytp_pair){caller.stack, sub}), caller.sub,
                    caller.calls};
    if (!nytp_is_eval_frame(call->name))
        here = (entered){here.stack, sub, nytp_pairs_intern(&keys->calls, (nytp_pair){caller.sub, sub})};
    nytp_measured m = parts_of(call->excl_ticks, nytp_call_waited_of(call), w->ticks_per_base);
    add_parts(w, &here, &m);
    m.excl = call->excl_ticks / w->ticks_per_base;
    m.incl = call->incl_ticks / w->ticks_per_base;
    m.count = (double)call->calls;
    nytp_run_add(w->r->run, NYTP_COMPARE_STACKS, here.stack, &m);
    g_array_set_size(w->path, call->depth);
    g_array_append_val(w->path, here);
    return true;
}

/* Code outside of subs has what calls do not have. */
static void add_parts_outside(const walk *w, const nytp_measured *calls)
{
    const reading *r = w->r;
    const nytp_str name = nytp_str_of(NYTP_RUNTIME);
    const uint32_t key = nytp_names_intern(r->keys->subs, &name, NULL);
    const nytp_measured *whole = &r->run->whole, parts = {.work = whole->work - calls->work,
                                                          .asleep = whole->asleep - calls->asleep,
                                                          .queued = whole->queued - calls->queued};
    if (!w->tree->sink.needs_waited || r->totals.statements == 0)
        return;
    nytp_run_add(r->run, NYTP_COMPARE_SUBS, key, &parts);
    add_to_package(r, name, &parts);
}

static void read_stacks(const reading *r, nytp_calltree *tree)
{
    const nytp_measure *measure = &r->run->measure;
    walk w = {r, tree,
              nytp_measure_is_time(measure) ? nytp_calltree_ticks_per_sec(tree) : measure->ticks_per_base,
              NYTP_ARRAY(entered), NYTP_ZEROED_ARRAY(uint32_t)};
    nytp_calltree_walk(tree, add_call, &w);
    const nytp_measured calls = parts_of(tree->excl_ticks, tree->calls_waited, w.ticks_per_base);
    add_parts_outside(&w, &calls);
    g_array_free(w.subs, TRUE);
    g_array_free(w.path, TRUE);
}

static void read_tree(const reading *r, nytp_calltree *tree)
{
    nytp_by_label *labels = nytp_by_label_new();
    read_stacks(r, tree);
    nytp_by_label_add_profile(labels, r->profile, tree);
    nytp_run_add_labels(r->run, r->keys, labels);
    nytp_by_label_free(labels);
}

void nytp_run_add_waited(nytp_run *run, uint32_t sub, double ticks, nytp_waited waited)
{
    const nytp_measured parts = parts_of(ticks, waited, run->measure.ticks_per_base);
    if (run->sub_key[sub] != NYTP_NO_KEY)
        nytp_run_add(run, NYTP_COMPARE_SUBS, run->sub_key[sub], &parts);
}

static void read_whole(reading *r)
{
    r->run->measure = nytp_profile_measure(r->profile);
    r->totals = nytp_profile_totals(r->profile);
    r->run->busy_share = nytp_profile_busy_share(r->profile);
    r->run->samples = nytp_run_is_of_shares(r->run) ? (double)r->totals.statements : 0;
    const double whole = amount_of(r, r->totals.whole_ticks);
    nytp_waited waited = nytp_profile_waited(r->profile);
    r->run->measures_waits = nytp_profile_measures_waits(r->profile);
    r->run->knows_waits = waited.asleep_ticks >= 0;
    waited.asleep_ticks = fmax(waited.asleep_ticks, 0);
    r->run->whole = parts_of((double)r->totals.whole_ticks, waited, r->run->measure.ticks_per_base);
    r->run->profiler = nytp_profile_overhead_ticks(r->profile) / r->run->measure.ticks_per_base;
    r->run->whole.excl = r->run->whole.incl = whole;
    r->run->whole.count =
        (double)(nytp_measure_is_sampled(&r->run->measure) ? r->totals.statements : r->totals.calls);
}

nytp_run *nytp_run_new(nytp_keys *keys, const nytp_profile *profile, nytp_calltree *stacks)
{
    reading r = {.run = g_new0(nytp_run, 1), .keys = keys, .profile = profile};
    for (int kind = 0; kind < NYTP_COMPARED_KINDS; kind++)
        r.run->of[kind] = NYTP_ZEROED_ARRAY(nytp_measured);
    r.run->label_key = NYTP_ARRAY(uint32_t);
    r.run->sub_key = g_new(uint32_t, nytp_profile_sub_count(profile) + 1);
    r.run->file_key = g_new(uint32_t, nytp_profile_file_count(profile) + 1);
    r.portable = nytp_portable_new(profile);
    read_whole(&r);
    read_subs(&r);
    read_files(&r);
    read_calls(&r);
    if (stacks != NULL)
        read_tree(&r, stacks);
    nytp_portable_free(r.portable);
    return r.run;
}

void nytp_run_free(nytp_run *run)
{
    for (int kind = 0; kind < NYTP_COMPARED_KINDS; kind++)
        g_array_free(run->of[kind], TRUE);
    for (int kind = 0; kind < NYTP_COMPARED_KINDS; kind++)
        g_clear_pointer(&run->durations[kind], g_array_unref);
    g_array_free(run->label_key, TRUE);
    g_free(run->sub_key);
    g_free(run->file_key);
    g_free(run);
}

nytp_measured nytp_run_get(const nytp_run *run, enum nytp_compared kind, uint32_t key)
{
    return key < run->of[kind]->len ? g_array_index(run->of[kind], nytp_measured, key) : (nytp_measured){0};
}

void nytp_run_add_labels(nytp_run *run, nytp_keys *keys, const nytp_by_label *labels)
{
    const double ticks_per_base = nytp_measure_is_time(&run->measure) ? nytp_by_label_ticks_per_sec(labels)
                                                                      : run->measure.ticks_per_base;
    for (uint32_t i = 0; i < nytp_by_label_count(labels); i++) {
        const nytp_labelled *label = nytp_by_label_get(labels, i);
        const uint32_t key = label_key(keys, label->kind, label->text.bytes, label->text.length);
        g_array_append_val(run->label_key, key);
        if (label->calls == 0)
            continue;
        nytp_measured m = parts_of(label->incl_ticks, label->waited, ticks_per_base);
        m.excl = label->excl_ticks / ticks_per_base;
        m.incl = label->incl_ticks / ticks_per_base;
        m.count = (double)label->runs;
        nytp_run_add(run, NYTP_COMPARE_LABELS, key, &m);
    }
}

static void add_duration(const GArray *all, uint32_t key, const nytp_distribution *durations)
{
    if (key != NYTP_NO_KEY)
        nytp_distribution_add_all(&g_array_index(all, nytp_distribution, key), durations);
}

void nytp_run_add_durations(nytp_run *run, const nytp_keys *keys, const nytp_sub_durations *durations)
{
    GArray *all = run->durations[NYTP_COMPARE_SUBS] = nytp_distributions_new(nytp_names_count(keys->subs));
    run->duration_ticks_per_sec = durations->ticks_per_sec;
    for (uint32_t i = 0; i < durations->of->len; i++)
        add_duration(all, run->sub_key[i], nytp_sub_durations_of(durations, i));
}

void nytp_run_add_label_durations(nytp_run *run, const nytp_keys *keys, const GArray *durations)
{
    GArray *all = run->durations[NYTP_COMPARE_LABELS] =
        nytp_distributions_new(nytp_names_count(keys->labels));
    for (guint i = 0; i < MIN(durations->len, run->label_key->len); i++)
        add_duration(all, g_array_index(run->label_key, uint32_t, i),
                     &g_array_index(durations, nytp_distribution, i));
}

void nytp_run_sum_durations(const nytp_run *run, enum nytp_compared kind, uint32_t key,
                            nytp_distribution *sum)
{
    const GArray *all = run->durations[kind];
    if (all != NULL && key < all->len)
        nytp_distribution_add_all(sum, &g_array_index(all, nytp_distribution, key));
}

double nytp_runs_busy_share(const GPtrArray *runs)
{
    double sum = 0;
    for (guint i = 0; i < runs->len; i++)
        sum += ((const nytp_run *)runs->pdata[i])->busy_share;
    return sum / runs->len;
}
