#include "cli/summary.h"

#include "calls/calltree.h"
#include "calls/derive_arcs.h"
#include "cli/read.h"
#include "cli/say.h"
#include "model/grow.h"
#include "model/profile.h"
#include "model/subs.h"

struct nytp_summary_reading {
    const nytp_summary_options *options;
    nytp_summary *to;
    nytp_profile *one;    /* the one that was read last, which is not in the sum yet; NULL if none */
    bool begun, is_whole; /* it has not ended; it was read to its end */
    bool is_alone;        /* the tree has its calls alone */
    nytp_calltree *tree;  /* NULL between profiles, unless all have one */
    nytp_durations *durations;
};

typedef nytp_summary_reading building;

static void begin_tree(building *b)
{
    nytp_summary *s = b->to;
    b->tree = nytp_calltree_new_of(b->to->names, NULL, NULL);
    if (b->options->wants_stacks) {
        s->stacks = b->tree;
        s->errors = nytp_calltree_new_of(s->names, NULL, NULL);
        nytp_calltree_read_waited(b->tree);
    }
    nytp_events *events = nytp_calltree_events(b->tree);
    nytp_durations_take(b->durations, events);
    nytp_process_times_take(s->processes, events);
    nytp_sub_waits_take(s->waits, events);
    nytp_kinds_add_errors(s->kinds, s->errors, s->arc_sums);
    nytp_kinds_take(s->kinds, b->to->names, events);
    if (s->growth != NULL)
        nytp_growth_take(s->growth, events);
    if (s->arc_sums != NULL)
        nytp_arc_sums_take(s->arc_sums, events);
    if (b->options->take != NULL)
        b->options->take(b->options->context, b->to->names, events);
}

static uint32_t fid_in_sum(const void *sum, uint32_t fid)
{
    return nytp_profile_added_fid(sum, fid, 0);
}

/* One profile alone is the sum, with its own fids. */
static void add_to_sum(building *b)
{
    if (b->to->profile == NULL)
        b->to->profile = nytp_profile_new();
    nytp_profile_add_profile(b->to->profile, b->one, NULL);
    nytp_kinds_end_profile(b->to->kinds, fid_in_sum, b->to->profile);
    g_clear_pointer(&b->one, nytp_profile_free);
}

static void begin_profile(building *b)
{
    if (b->one != NULL)
        add_to_sum(b);
    if (b->tree == NULL)
        begin_tree(b);
    b->one = nytp_profile_new();
    if (b->to->profile != NULL)
        g_clear_pointer(&b->to->source, nytp_source_lines_free);
    else if (b->to->source != NULL)
        nytp_profile_on_source(b->one, nytp_source_lines_add, b->to->source);
    b->begun = true;
    b->is_alone = b->tree->calls == 0;
}

int nytp_summary_read_some(void *context, nytp_reader *reader)
{
    building *b = context;
    if (!b->begun)
        begin_profile(b);
    const int rc = nytp_profile_read_with_calls(b->one, b->tree, reader);
    b->is_whole = rc == NYTP_END || nytp_filters_sum_calls(reader);
    return rc;
}

static void complete_arcs(const building *b)
{
    nytp_profile *calls = b->is_whole && b->is_alone ? NULL : nytp_read_calls_again();
    if (calls != NULL)
        nytp_profile_complete_arcs_of(b->one, calls);
    else if (b->is_alone)
        nytp_profile_complete_arcs(b->one, b->tree);
    nytp_profile_free(calls);
}

bool nytp_summary_end_profile(void *context)
{
    building *b = context;
    if (!b->begun)
        begin_profile(b);
    b->begun = false;
    nytp_calltree_end_profile(b->tree);
    if (nytp_profile_lacks_arcs(b->one, b->is_whole))
        complete_arcs(b);
    if (b->to->stacks == NULL) {
        nytp_by_label_add_profile(b->to->labels, b->one, b->tree);
        g_clear_pointer(&b->tree, nytp_calltree_free);
    }
    return true;
}

static void move_evals(const building *b)
{
    nytp_summary *s = b->to;
    g_autofree uint32_t *moved = b->options->keeps_evals ? NULL : nytp_profile_move_evals(s->profile);
    if (moved == NULL)
        return;
    nytp_sub_durations_move(&s->durations, s->profile, moved);
    s->sub_waits = nytp_sub_waits_moved(s->sub_waits, s->profile, moved);
    nytp_kind_sums_move(s->kind_sums, moved);
    nytp_kinds_move_evals(s->kinds, s->profile);
    if (s->arc_sums != NULL)
        nytp_arc_sums_move(s->arc_sums, moved);
    for (uint32_t i = 0; s->sub_of != NULL && i < nytp_names_count(b->to->names); i++)
        s->sub_of[i] = s->sub_of[i] != UINT32_MAX ? moved[s->sub_of[i]] : UINT32_MAX;
}

static void finish(building *b)
{
    nytp_summary *s = b->to;
    if (s->profile != NULL) {
        add_to_sum(b);
    } else {
        s->profile = g_steal_pointer(&b->one);
        nytp_kinds_end_profile(s->kinds, NULL, NULL);
    }
    if (s->stacks != NULL) {
        nytp_by_label_add_profile(s->labels, s->profile, s->stacks);
        s->label_durations = nytp_by_label_durations(s->labels, b->durations);
        s->sub_of = nytp_subs_of_names(s->profile, s->names);
    }
    s->durations = nytp_durations_by_sub(b->durations, s->profile);
    s->sub_waits = nytp_sub_waits_by_sub(s->waits, s->profile);
    s->kind_sums = nytp_kinds_by_sub(s->kinds, s->profile);
    if (s->arc_sums != NULL)
        nytp_arc_sums_by_sub(s->arc_sums, s->profile);
    move_evals(b);
}

nytp_summary_reading *nytp_summary_begin(const nytp_summary_options *options)
{
    nytp_summary *s = g_new0(nytp_summary, 1);
    building *b = g_new0(building, 1);
    s->names = nytp_names_new();
    s->labels = nytp_by_label_new();
    s->processes = nytp_process_times_new();
    s->waits = nytp_sub_waits_new(s->names);
    s->kinds = nytp_kinds_new();
    s->growth = options->wants_stacks ? nytp_growth_new(s->names) : NULL;
    s->arc_sums = options->wants_arc_sums ? nytp_arc_sums_new(s->names) : NULL;
    s->source = options->wants_source ? nytp_source_lines_new() : NULL;
    *b = (building){.options = options, .to = s, .durations = nytp_durations_new(s->names)};
    return b;
}

nytp_summary *nytp_summary_end(nytp_summary_reading *b)
{
    nytp_summary *s = b->to;
    if (b->one != NULL && !b->begun)
        finish(b);
    if (s->stacks == NULL)
        nytp_calltree_free(b->tree);
    if (s->profile == NULL)
        g_clear_pointer(&s, nytp_summary_free);
    nytp_profile_free(b->one);
    nytp_durations_free(b->durations);
    g_free(b);
    return s;
}

nytp_summary *nytp_summary_read(const nytp_operands *files, const nytp_summary_options *options)
{
    nytp_summary_reading *reading = nytp_summary_begin(options);
    const nytp_read_handler handler = {.tags = nytp_profile_tags() | nytp_calltree_tags(NULL),
                                       .read_some = nytp_summary_read_some,
                                       .end_profile = nytp_summary_end_profile,
                                       .context = reading};
    int rc = 0;
    for (int i = 0; rc >= 0 && i < files->count; i++)
        rc = nytp_read(files->names[i], options->common, &handler);
    nytp_summary *summary = nytp_summary_end(reading);
    if (rc < 0)
        g_clear_pointer(&summary, nytp_summary_free);
    return summary;
}

int nytp_summary_show(const nytp_operands *files, const nytp_summary_options *options, unsigned color,
                      bool is_text, nytp_summary_show_fn *show, void *context)
{
    const nytp_look look = nytp_look_of(options->common->output, color);
    nytp_summary_options wanted = *options;
    wanted.wants_source &= look.columns > 0;
    nytp_summary *s = nytp_summary_read(files, &wanted);
    nytp_output *output = s != NULL ? nytp_read_open_output(options->common->output) : NULL;
    bool done = false;
    if (output != NULL) {
        FILE *out = is_text ? nytp_output_text(output, &look) : nytp_output_stream(output);
        done = show(context, s, &look, out);
        if (done)
            done = nytp_output_commit(output) == 0;
        else
            nytp_output_discard(output);
    }
    nytp_summary_free(s);
    return nytp_exit(done);
}

void nytp_summary_free(nytp_summary *s)
{
    if (s == NULL)
        return;
    nytp_profile_free(s->profile);
    nytp_by_label_free(s->labels);
    if (s->durations.of != NULL)
        nytp_sub_durations_clear(&s->durations);
    g_clear_pointer(&s->label_durations, g_array_unref);
    nytp_process_times_free(s->processes);
    nytp_sub_waits_free(s->waits);
    g_clear_pointer(&s->sub_waits, g_array_unref);
    nytp_arc_sums_free(s->arc_sums);
    nytp_kinds_free(s->kinds);
    g_clear_pointer(&s->kind_sums, g_array_unref);
    nytp_calltree_free(s->stacks);
    nytp_calltree_free(s->errors);
    nytp_growth_free(s->growth);
    nytp_names_free(s->names);
    nytp_source_lines_free(s->source);
    g_free(s->sub_of);
    g_free(s);
}
