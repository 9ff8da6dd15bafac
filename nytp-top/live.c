#include "watch.h"

#include "sampler/sampler.h"

#include "base/str.h"
#include "cli/say.h"
#include "model/hashes.h"

#include <glib.h>
#include <stdio.h>

enum { MAX_DEPTH = 1000, NAME_ROOM = 4096 + 512 };

typedef struct sampled {
    sampler_target target;
    sampler_evals *evals; /* their names */
    sampler_meter meter;  /* of the thread that executes its interpreter */
    char *program;        /* the last part of its name */
} sampled;

struct top_live {
    sampler_process_id *asked_for;
    int count;
    const top_live_options *options;
    sampler_hunt *hunt;
    GPtrArray *all;  /* of sampled */
    GPtrArray *whys; /* strings, and NULL */
    char *why;       /* of the last one that could not be sampled */
    sampler_stack stack;
    const sampled *stack_of; /* whose names the stack has; NULL: nobody's */
};

static void free_sampled(void *context)
{
    sampled *s = context;
    sampler_target_clear(&s->target);
    sampler_evals_free(s->evals);
    sampler_meter_clear(&s->meter);
    g_free(s->program);
    g_free(s);
}

static sampled *sampled_at(const top_live *l, guint n)
{
    return g_ptr_array_index(l->all, n);
}

/* The process may have ended. */
static bool begin(top_live *l, sampled *s)
{
    char program[NAME_ROOM];
    sampler_target_program(&s->target, program, sizeof program);
    s->program = g_path_get_basename(program);
    s->evals = sampler_evals_new(0);
    if (!sampler_meter_begin(&s->meter, s->target.pid, sampler_threads_runner(&s->target),
                             l->options->rate_hz, l->options->cpu))
        return false;
    g_ptr_array_add(l->all, s);
    return true;
}

static enum sampler_found attach(void *context, const sampler_subject *subject, const sampler_target **target,
                                 const char **why)
{
    top_live *l = context;
    sampled *s = g_new0(sampled, 1);
    sampler_target_init(&s->target, subject, l->options->offsets, MAX_DEPTH);
    enum sampler_found found = sampler_target_attach(&s->target);
    *target = &s->target;
    if (found == SAMPLER_FOUND && begin(l, s)) {
        if (s->target.guess[0] != '\0')
            nytp_say("%s", s->target.guess);
        return found;
    }
    g_free(l->why);
    *why = l->why = g_strdup(found == SAMPLER_FOUND ? "the process has ended" : s->target.why);
    free_sampled(s);
    return found == SAMPLER_FOUND ? SAMPLER_ENDED : found;
}

/* With --children, what is not a perl may have started some. */
static void add_why(void *context, const sampler_subject *subject, enum sampler_found found, const char *why,
                    bool is_new)
{
    const top_live *l = context;
    const bool is_other = found == SAMPLER_NOT_PERL || found == SAMPLER_ENDED;
    const bool was_asked_for = subject->is_asked_for && !(l->options->children && is_other);
    bool is_known = g_ptr_array_find_with_equal_func(l->whys, why, g_str_equal, NULL);
    (void)is_new;
    if (!is_known && (was_asked_for || found == SAMPLER_NO_LAYOUT))
        g_ptr_array_add(l->whys, g_strdup(why));
}

top_live *top_live_new(const pid_t *pids, int count, const top_live_options *options)
{
    top_live *l = g_new0(top_live, 1);
    l->asked_for = g_new(sampler_process_id, count);
    for (int n = 0; n < count; n++)
        l->asked_for[n] = sampler_process_now(pids[n]);
    l->count = count;
    l->options = options;
    l->all = g_ptr_array_new_with_free_func(free_sampled);
    l->whys = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(l->whys, NULL);
    const sampler_hunt_wants wants = {.asked_for = l->asked_for,
                                      .count = (size_t)count,
                                      .children = options->children,
                                      .threads = options->threads};
    l->hunt = sampler_hunt_new(&wants, &(sampler_hunter){l, attach, add_why});
    return l;
}

void top_live_free(top_live *l)
{
    sampler_hunt_free(l->hunt);
    g_ptr_array_free(l->all, TRUE);
    g_ptr_array_free(l->whys, TRUE);
    g_free(l->why);
    sampler_stack_clear(&l->stack);
    g_free(l->asked_for);
    g_free(l);
}

/* Programs that embed perl may have another thread execute it. */
static void follow_runner(sampled *s)
{
    const pid_t runner = sampler_threads_runner(&s->target);
    if (runner != s->meter.tid)
        sampler_meter_skip(&s->meter, s->target.pid, runner);
}

size_t top_live_look(top_live *l)
{
    g_ptr_array_set_size(l->whys, 0);
    sampler_hunt_look(l->hunt);
    g_ptr_array_add(l->whys, NULL);
    for (guint n = 0; n < l->all->len; n++)
        follow_runner(sampled_at(l, n));
    return l->all->len;
}

bool top_live_may_come(const top_live *l)
{
    return sampler_hunt_goes_on(l->hunt);
}

const char *const *top_live_whys(const top_live *l)
{
    return (const char *const *)l->whys->pdata;
}

static char *one_name(const sampled *s)
{
    return s->target.tid == s->target.pid
               ? g_strdup_printf("%s (process %ld)", s->program, (long)s->target.pid)
               : g_strdup_printf("%s (process %ld, thread %ld)", s->program, (long)s->target.pid,
                                 (long)s->target.tid);
}

static guint count_processes(const top_live *l)
{
    g_autoptr(GHashTable) pids = g_hash_table_new(nytp_hash_of_number, NULL);
    for (guint n = 0; n < l->all->len; n++)
        g_hash_table_add(pids, GINT_TO_POINTER(sampled_at(l, n)->target.pid));
    return g_hash_table_size(pids);
}

char *top_live_name(const top_live *l)
{
    const guint count = l->all->len;
    if (count == 0)
        return NULL;
    const sampled *first = sampled_at(l, 0);
    if (count == 1)
        return one_name(first);
    bool is_one_program = true;
    for (guint n = 1; n < count; n++)
        is_one_program = is_one_program && strcmp(sampled_at(l, n)->program, first->program) == 0;
    char threads[48] = "";
    const guint processes = count_processes(l);
    if (processes < count)
        snprintf(threads, sizeof threads, ", %u threads", count);
    if (processes == 1)
        return g_strdup_printf("%s (process %ld%s)", first->program, (long)first->target.pid, threads);
    return g_strdup_printf("%s%s (%s%s)", first->program, is_one_program ? "" : " and others",
                           nytp_counted(processes, "process").text, threads);
}

/* Both are valid until the next call. */
static const char *file_of(const sampled *s, uint32_t file)
{
    size_t length;
    return file == SAMPLER_NO_STRING
               ? "?"
               : sampler_evals_file(s->evals, nytp_strings_get(s->target.strings, file, &length));
}

static const char *sub_of(const sampled *s, const sampler_frame *frame, char *room, size_t size)
{
    size_t length;
    const char *name = nytp_strings_get(s->target.strings, frame->name, &length);
    if (frame->own_file == SAMPLER_NO_STRING)
        return name;
    g_autofree char *other =
        sampler_evals_sub(s->evals, name, nytp_strings_get(s->target.strings, frame->own_file, &length));
    if (other == NULL)
        return name;
    g_strlcpy(room, other, size);
    return room;
}

/* Returns whether it is known; otherwise it is "?". */
static bool place_of(const sampled *s, uint32_t file, uint32_t line, char *place, size_t size)
{
    const bool is_known = file != SAMPLER_NO_STRING;
    snprintf(place, size, is_known ? "%s:%u" : "%s", file_of(s, file), (unsigned)line);
    return is_known;
}

/* callee: NULL: the caller itself runs there. */
static void count_call(top_counts *calls, const char *caller, const char *callee, const char *place)
{
    char call[3 * NAME_ROOM];
    snprintf(call, sizeof call, "%s%s%s%s%s", caller, callee != NULL ? TOP_ARROW : "",
             callee != NULL ? callee : "", TOP_AT, place);
    top_counts_on_stack(calls, call);
    if (callee == NULL)
        top_counts_at_work(calls, call);
}

static void count_subs(const sampled *s, const sampler_stack *stack, top_tables *tables)
{
    char package[NAME_ROOM], room[NAME_ROOM], caller[NAME_ROOM], place[NAME_ROOM];
    const char *last = NYTP_RUNTIME;
    top_counts_on_stack(tables->of[TOP_SUBS], last);
    top_counts_on_stack(tables->of[TOP_PACKAGES], "main");
    for (size_t n = 0; n < stack->count; n++) {
        if (!sampler_frame_is_call(&stack->frames[n]))
            continue;
        g_strlcpy(caller, last, sizeof caller);
        last = sub_of(s, &stack->frames[n], room, sizeof room);
        place_of(s, stack->frames[n].file, stack->frames[n].line, place, sizeof place);
        count_call(tables->of[TOP_CALLS], caller, last, place);
        top_package_of(last, package, sizeof package);
        top_counts_on_stack(tables->of[TOP_SUBS], last);
        top_counts_on_stack(tables->of[TOP_PACKAGES], package);
    }
    top_package_of(last, package, sizeof package);
    top_counts_at_work(tables->of[TOP_SUBS], last);
    top_counts_at_work(tables->of[TOP_PACKAGES], package);
    if (place_of(s, stack->file, stack->line, place, sizeof place))
        count_call(tables->of[TOP_CALLS], last, NULL, place);
}

static void count_line(const sampled *s, uint32_t file, uint32_t line, bool runs, top_counts *lines)
{
    char place[NAME_ROOM];
    if (!place_of(s, file, line, place, sizeof place))
        return;
    top_counts_on_stack(lines, place);
    if (runs)
        top_counts_at_work(lines, place);
}

/* The lines that call, and the one that runs. */
static void count_lines(const sampled *s, const sampler_stack *stack, top_tables *tables)
{
    for (size_t n = 0; n < stack->count; n++)
        if (sampler_frame_is_call(&stack->frames[n]))
            count_line(s, stack->frames[n].file, stack->frames[n].line, false, tables->of[TOP_LINES]);
    count_line(s, stack->file, stack->line, true, tables->of[TOP_LINES]);
}

void top_live_show_stack(const top_live *l, top_tables *tables)
{
    if (l->stack_of == NULL)
        return;
    const sampled *s = l->stack_of;
    g_autofree char *name = one_name(s);
    GString *text = g_string_new(name);
    char room[NAME_ROOM];
    sampler_spot at;
    g_string_append_c(text, '\n');
    for (size_t n = l->stack.count; n > 0; n--) {
        const sampler_frame *frame = &l->stack.frames[n - 1];
        at = sampler_stack_spot(&l->stack, n);
        if (sampler_frame_is_call(frame))
            g_string_append_printf(text, "%s  %s:%u\n", sub_of(s, frame, room, sizeof room),
                                   file_of(s, at.file), (unsigned)at.line);
    }
    at = sampler_stack_spot(&l->stack, 0);
    g_string_append_printf(text, "main program  %s:%u\n", file_of(s, at.file), (unsigned)at.line);
    g_free(tables->stack);
    tables->stack = g_string_free(text, FALSE);
}

/* Samples of threads that do not run have no time with --cpu. */
static void count(top_live *l, sampled *s, top_tables *tables)
{
    double share_s[SAMPLER_STATES];
    const double time_s = sampler_meter_after(&s->meter, &l->stack, share_s);
    if (time_s < 0)
        return;
    const double seconds[TOP_TIMES] = {[TOP_ALL] = time_s, [TOP_WORK] = share_s[SAMPLER_RUN]};
    for (int kind = 0; kind < TOP_KINDS; kind++)
        top_counts_begin_stack(tables->of[kind], seconds);
    sampler_evals_see(s->evals, s->target.strings, &l->stack);
    count_subs(s, &l->stack, tables);
    count_lines(s, &l->stack, tables);
}

/* A process that waits with --cpu has no stack. */
static enum sampler_taken take_sample(top_live *l, sampled *s)
{
    switch (sampler_meter_before(&s->meter)) {
    case SAMPLER_NO_THREAD: return SAMPLER_GONE;
    case SAMPLER_UNWANTED: return SAMPLER_TORN;
    default: return sampler_target_take(&s->target, &l->stack);
    }
}

void top_live_skip(top_live *l)
{
    for (guint n = 0; n < l->all->len; n++) {
        sampled *s = sampled_at(l, n);
        sampler_meter_skip(&s->meter, s->target.pid, s->meter.tid);
    }
}

size_t top_live_sample(top_live *l, top_tables *tables)
{
    for (guint n = l->all->len; n > 0; n--) {
        sampled *s = sampled_at(l, n - 1);
        if (sampler_target_trim(&s->target) && l->stack_of != NULL && s == l->stack_of)
            l->stack_of = NULL;
        switch (take_sample(l, s)) {
        case SAMPLER_GONE:
            if (s == l->stack_of)
                top_live_show_stack(l, tables);
            l->stack_of = NULL; /* the stack may have got names of this one */
            sampler_hunt_end(l->hunt, &s->target);
            g_ptr_array_remove_index_fast(l->all, n - 1);
            break;
        case SAMPLER_TORN: break; /* or it waits */
        case SAMPLER_TAKEN:
            l->stack_of = s;
            count(l, s, tables);
            break;
        }
    }
    return l->all->len;
}
