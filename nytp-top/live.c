#include "live.h"

#include "sampler/sampler.h"

#include "cli/say.h"

#include <glib.h>
#include <stdio.h>

enum { MAX_DEPTH = 1000, NAME_ROOM = 4096 + 512, EXE_ROOM = 1024 };

typedef struct sampled {
    sampler_target target;
    sampler_evals *evals; /* their names */
    sampler_meter meter;  /* of its first thread */
    char *program;        /* the last part of its name */
} sampled;

struct top_live {
    sampler_process_id *asked_for;
    int count;
    const top_live_options *options;
    GPtrArray *all; /* of sampled */
    sampler_rejected *rejected;
    GPtrArray *whys; /* strings, and NULL */
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

top_live *top_live_new(const pid_t *pids, int count, const top_live_options *options)
{
    top_live *l = g_new0(top_live, 1);
    l->asked_for = g_new(sampler_process_id, count);
    for (int n = 0; n < count; n++)
        l->asked_for[n] = sampler_process_now(pids[n]);
    l->count = count;
    l->options = options;
    l->all = g_ptr_array_new_with_free_func(free_sampled);
    l->rejected = sampler_rejected_new();
    l->whys = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(l->whys, NULL);
    return l;
}

void top_live_free(top_live *l)
{
    g_ptr_array_free(l->all, TRUE);
    sampler_rejected_free(l->rejected);
    g_ptr_array_free(l->whys, TRUE);
    sampler_stack_clear(&l->stack);
    g_free(l->asked_for);
    g_free(l);
}

static sampled *sampled_at(const top_live *l, guint n)
{
    return g_ptr_array_index(l->all, n);
}

static bool is_sampled(const top_live *l, sampler_process_id process)
{
    for (guint n = 0; n < l->all->len; n++)
        if (sampler_process_id_is(sampled_at(l, n)->target.process.id, process))
            return true;
    return false;
}

typedef struct look {
    top_live *live;
    int64_t now_ns;
    bool at_descendants;
} look;

/* With --children, what is not a perl may have started some. */
static void add_why(const look *k, enum sampler_found found, const char *why)
{
    const bool is_other = found == SAMPLER_NOT_PERL || found == SAMPLER_ENDED;
    bool was_asked_for = !k->at_descendants && !(k->live->options->children && is_other);
    bool is_known = g_ptr_array_find_with_equal_func(k->live->whys, why, g_str_equal, NULL);
    if (!is_known && (was_asked_for || found == SAMPLER_NO_LAYOUT))
        g_ptr_array_add(k->live->whys, g_strdup(why));
}

/* The process may have ended. */
static bool begin(const look *k, sampled *s)
{
    char program[NAME_ROOM];
    sampler_target_program(&s->target, program, sizeof program);
    s->program = g_path_get_basename(program);
    s->evals = sampler_evals_new(0);
    const top_live_options *options = k->live->options;
    if (!sampler_meter_begin(&s->meter, s->target.pid, s->target.pid, options->rate_hz, options->cpu))
        return false;
    g_ptr_array_add(k->live->all, s);
    return true;
}

static void attach(const look *k, const sampler_process *p, const char *exe)
{
    sampled *s = g_new0(sampled, 1);
    sampler_target_init(&s->target, p->id, k->live->options->offsets, MAX_DEPTH);
    enum sampler_found found = sampler_target_attach(&s->target);
    if (found == SAMPLER_FOUND && begin(k, s))
        return;
    sampler_rejected_add(k->live->rejected, p, exe, found, s->target.why, k->now_ns);
    add_why(k, found, s->target.why);
    free_sampled(s);
}

static void look_at(void *context, const sampler_process *p)
{
    const look *k = context;
    char exe[EXE_ROOM];
    if (is_sampled(k->live, p->id))
        return;
    sampler_process_link(p->id.pid, "exe", exe, sizeof exe);
    const sampler_rejection *known = sampler_rejected_find(k->live->rejected, p, exe, k->now_ns);
    if (known != NULL)
        add_why(k, known->found, known->why);
    else
        attach(k, p, exe);
}

size_t top_live_look(top_live *l, int64_t now_ns)
{
    look k = {l, now_ns, false};
    g_ptr_array_set_size(l->whys, 0);
    for (int n = 0; n < l->count; n++) {
        sampler_process p = {.id = l->asked_for[n]}; /* if there is no such process, attach() says so */
        look_at(&k, &p);
    }
    k.at_descendants = true;
    for (int n = 0; l->options->children && n < l->count; n++)
        sampler_process_descendants(l->asked_for[n], look_at, &k);
    sampler_rejected_end_look(l->rejected);
    g_ptr_array_add(l->whys, NULL);
    return l->all->len;
}

bool top_live_may_come(const top_live *l)
{
    sampler_process p;
    for (int n = 0; n < l->count; n++)
        if (sampler_process_read(&p, l->asked_for[n].pid) && sampler_process_id_is(p.id, l->asked_for[n]) &&
            !sampler_process_has_ended(&p))
            return true;
    return false;
}

const char *const *top_live_whys(const top_live *l)
{
    return (const char *const *)l->whys->pdata;
}

static char *one_name(const sampled *s)
{
    return g_strdup_printf("%s (process %ld)", s->program, (long)s->target.pid);
}

char *top_live_name(const top_live *l)
{
    if (l->all->len == 0)
        return NULL;
    const sampled *first = sampled_at(l, 0);
    if (l->all->len == 1)
        return one_name(first);
    bool is_one_program = true;
    for (guint n = 1; n < l->all->len; n++)
        is_one_program = is_one_program && strcmp(sampled_at(l, n)->program, first->program) == 0;
    return g_strdup_printf("%s%s (%s)", first->program, is_one_program ? "" : " and others",
                           nytp_counted(l->all->len, "process").text);
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

static void count_subs(const sampled *s, const sampler_stack *stack, top_tables *tables)
{
    char package[NAME_ROOM], room[NAME_ROOM];
    const char *last = "main::RUNTIME";
    top_counts_on_stack(tables->of[TOP_SUBS], last);
    top_counts_on_stack(tables->of[TOP_PACKAGES], "main");
    for (size_t n = 0; n < stack->count; n++) {
        if (!sampler_frame_is_call(&stack->frames[n]))
            continue;
        last = sub_of(s, &stack->frames[n], room, sizeof room);
        top_package_of(last, package, sizeof package);
        top_counts_on_stack(tables->of[TOP_SUBS], last);
        top_counts_on_stack(tables->of[TOP_PACKAGES], package);
    }
    top_package_of(last, package, sizeof package);
    top_counts_at_work(tables->of[TOP_SUBS], last);
    top_counts_at_work(tables->of[TOP_PACKAGES], package);
}

static void count_line(const sampled *s, uint32_t file, uint32_t line, bool runs, top_counts *lines)
{
    char place[NAME_ROOM];
    if (file == SAMPLER_NO_STRING)
        return;
    snprintf(place, sizeof place, "%s:%u", file_of(s, file), (unsigned)line);
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
    const double time_s = sampler_meter_after(&s->meter, &l->stack, s->target.strings, share_s);
    if (time_s < 0)
        return;
    for (int kind = 0; kind < TOP_KINDS; kind++)
        top_counts_begin_stack(tables->of[kind], time_s);
    sampler_evals_see(s->evals, s->target.strings, &l->stack);
    count_subs(s, &l->stack, tables);
    count_lines(s, &l->stack, tables);
}

/* A process that waits with --cpu has no stack. */
static enum sampler_taken take(top_live *l, sampled *s)
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
        sampler_meter_skip(&s->meter, s->target.pid, s->target.pid);
    }
}

size_t top_live_sample(top_live *l, top_tables *tables)
{
    for (guint n = l->all->len; n > 0; n--) {
        sampled *s = sampled_at(l, n - 1);
        if (sampler_target_trim(&s->target) && s == l->stack_of)
            l->stack_of = NULL;
        switch (take(l, s)) {
        case SAMPLER_GONE:
            if (s == l->stack_of)
                top_live_show_stack(l, tables);
            l->stack_of = NULL; /* the stack may have got names of this one */
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
