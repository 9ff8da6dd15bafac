/* The filters of a reader, in their order, and the chunks that have passed all of them. */
#include "events/filter.h"

#include "base/ticks.h"
#include "events/known_subs.h"
#include "events/requests.h"
#include "format/reader.h"
#include "format/tags.h"

#include <glib.h>

typedef nytp_filter *new_filter_fn(const nytp_filter_options *options);

static nytp_filter *given_sums(const nytp_filter_options *options)
{
    return options->sums;
}

static new_filter_fn *const in_order[] = {nytp_filter_process_new,
                                          nytp_filter_call_places_new,
                                          nytp_filter_range_new,
                                          nytp_filter_span_new,
                                          nytp_filter_kinds_new,
                                          nytp_filter_no_wait_new,
                                          given_sums,
                                          nytp_filter_evals_new};

typedef struct filters {
    nytp_filter *first;
    nytp_filter *looks;    /* the first filter that looks at statements; the queue if none does */
    const nytp_lane *lane; /* of the only filter that looks at them, but for one before it that may be idle */
    const nytp_filter *before; /* that one; NULL if there is none */
    bool has_others;           /* filters that look at them, besides the one before */
    nytp_known_subs subs;
    nytp_filter_queue queue;
    bool has_discount;        /* of the statement to come */
    double parts;             /* how many of the next returns are of parts of calls, which go on */
    uint64_t request;         /* of the return to come (requests.h) */
    bool has_sums, has_calls; /* the current profile has */
    bool lacks_calls;         /* some profile had sums alone */
    bool sums_calls;          /* the last filter makes sums of calls */
    bool leaves_out;          /* some filter may leave something out */
    bool at_end;              /* the filters have been told of the end of the profile */
} filters;

static void free_filters(void *context)
{
    filters *f = context;
    for (nytp_filter *filter = f->first, *next; filter != &f->queue.filter; filter = next) {
        next = filter->next;
        if (filter->type->clear != NULL)
            filter->type->clear(filter);
        g_free(filter);
    }
    nytp_filter_queue_clear(&f->queue);
    nytp_known_subs_clear(&f->subs);
    g_free(f);
}

static void find_lane(filters *f)
{
    nytp_filter *filter = f->looks;
    if (filter->type->may_be_idle) {
        f->before = filter;
        filter = nytp_filter_that_looks(filter->next);
    }
    f->has_others = filter != &f->queue.filter;
    if (f->has_others && nytp_filter_that_looks(filter->next) == &f->queue.filter)
        f->lane = filter->lane;
}

/* Returns NULL if the options ask for none. */
static filters *new_filters(const nytp_filter_options *options)
{
    filters *f = g_new0(filters, 1);
    nytp_filter **at = &f->first;
    f->sums_calls = options->sums != NULL;
    f->queue = nytp_filter_queue_new();
    f->subs = nytp_known_subs_new();
    for (size_t i = 0; i < G_N_ELEMENTS(in_order); i++) {
        if ((*at = in_order[i](options)) != NULL) {
            (*at)->subs = &f->subs;
            at = &(*at)->next;
        }
    }
    *at = &f->queue.filter;
    f->leaves_out = f->first != *at && (!options->evals || f->first->next != *at);
    if (f->first != *at) {
        f->looks = nytp_filter_that_looks(f->first);
        find_lane(f);
        return f;
    }
    free_filters(f);
    return NULL;
}

bool nytp_filters_leave_out_events(const nytp_filter_options *options)
{
    nytp_filter_options removing = *options;
    removing.spans = NULL;
    removing.evals = false;
    removing.sums = NULL;
    filters *f = new_filters(&removing);
    if (f != NULL)
        free_filters(f);
    return f != NULL;
}

static void end_profile(filters *all)
{
    all->lacks_calls |= all->leaves_out && all->has_sums && !all->has_calls;
    all->has_sums = all->has_calls = all->has_discount = false;
    all->parts = 0;
    all->request = 0;
    for (nytp_filter *f = all->first; f != NULL; f = f->next)
        if (f->type->end != NULL)
            f->type->end(f);
    nytp_known_subs_forget(&all->subs);
}

static uint32_t needed_tags(const filters *f)
{
    uint32_t tags = NYTP_BIT(SUB_CALLERS) | NYTP_BIT(SUB_RETURN);
    for (const nytp_filter *filter = f->first; filter != NULL; filter = filter->next)
        tags |= filter->tags;
    return tags;
}

static __attribute__((noinline)) void take_in_filters(const filters *f, nytp_statement statement)
{
    f->looks->type->statement(f->looks, &statement, 1);
}

static inline bool is_idle_before(const filters *f)
{
    return f->before == NULL || f->before->is_idle;
}

static inline bool has_lane(const filters *f)
{
    return f->lane != NULL && is_idle_before(f);
}

/* Whether the lane gives its statements to no one: the clock alone counts them. */
static inline bool lane_is_silent(const filters *f)
{
    return !f->lane->passes || (f->queue.wanted & NYTP_TIMES) == 0;
}

/* Whether nothing looks at the next statements. */
static inline bool are_unseen(const filters *f)
{
    return !f->has_others && is_idle_before(f) && (f->queue.wanted & NYTP_TIMES) == 0;
}

static inline void add_ticks(void *ticks, nytp_statement s)
{
    *(int64_t *)ticks += s.ticks;
}

static inline void ignore(void *context, nytp_statement s)
{
    (void)context;
    (void)s;
}

/* The clock alone counts statements, of which each takes less than 2^7 ticks, as long as they are sure to be
 * in the lane. Returns where it stopped. */
__attribute__((always_inline)) static inline const unsigned char *
sum_in_lane(const nytp_lane *lane, const unsigned char *at, const unsigned char *end, uint64_t *count)
{
    const int64_t left_bytes = end - at - NYTP_SHORT_STATEMENT_MAX;
    const int64_t sure_bytes = (int64_t)(nytp_lane_left(lane) >> 7) * (NYTP_SHORT_STATEMENT_MAX - 1);
    int64_t ticks = 0;
    if (left_bytes <= 0 || sure_bytes == 0)
        return at;
    const unsigned char *const last = at + (sure_bytes < left_bytes ? sure_bytes : left_bytes) - 1;
    at = nytp_read_short_statements(at, last, count, add_ticks, &ticks);
    nytp_clock_add_statements(lane->clock, (double)ticks);
    return at;
}

/* The run ends where something was queued. */
__attribute__((always_inline)) static inline const unsigned char *
skip_statements(void *context, const unsigned char *at, const unsigned char *end, uint64_t *count)
{
    const filters *f = context;
    if (nytp_filter_queue_has_some(&f->queue))
        return NULL;
    if ((nytp_tag_bits[*at] & (NYTP_TIMES | NYTP_BIT(DISCOUNT))) == 0 || f->has_discount)
        return at;
    if (are_unseen(f))
        return nytp_read_short_statements(at, end - NYTP_SHORT_STATEMENT_MAX, count, ignore, NULL);
    return has_lane(f) && lane_is_silent(f) ? sum_in_lane(f->lane, at, end, count) : at;
}

/* A statement in the lane needs no look by the filter. */
__attribute__((always_inline)) static inline void add_statement(void *context, nytp_statement statement)
{
    filters *f = context;
    const nytp_lane *lane = f->lane;
    if (f->has_discount)
        statement.executions = 0;
    f->has_discount = false;
    if (are_unseen(f))
        return;
    if (!f->has_others && is_idle_before(f) && nytp_filter_queue_gives(&f->queue))
        f->queue.on_statement(f->queue.context, statement);
    else if (!has_lane(f) || (!lane_is_silent(f) && !nytp_filter_queue_gives(&f->queue)) ||
             !nytp_lane_takes(lane, statement.ticks))
        take_in_filters(f, statement);
    else if (!lane_is_silent(f))
        f->queue.on_statement(f->queue.context, statement);
}

static void set_part(filters *f, nytp_return *part)
{
    part->is_part = f->parts > 0;
    f->parts -= part->is_part;
    part->request = f->request;
    f->request = 0;
}

/* Inlined, so that the copy is only made once. */
__attribute__((always_inline)) static inline void add_return(void *context, const nytp_return *returned)
{
    filters *f = context;
    nytp_return known = *returned;
    f->has_calls = true;
    known.incl_ticks = nytp_known_ticks(returned->incl_ticks);
    known.excl_ticks = nytp_known_ticks(returned->excl_ticks);
    known.sub = nytp_known_sub_find(&f->subs, &known.name);
    if (f->parts > 0 || f->request != 0)
        set_part(f, &known);
    f->first->type->returned(f->first, &known);
}

/* Returns whether the chunk says of which call or request the returns to come are parts. */
static bool take_parts(filters *f, const nytp_chunk *chunk)
{
    nytp_mark mark;
    if (!nytp_mark_read(chunk, &mark))
        return false;
    const bool is_of_request = mark.kind == NYTP_MARK_REQUEST && !nytp_request_is_end(&mark);
    if (mark.kind == NYTP_MARK_PARTS)
        f->parts = mark.parts.count;
    if (is_of_request)
        f->request = (uint64_t)mark.request.id;
    return is_of_request || mark.kind == NYTP_MARK_PARTS;
}

static void add(filters *f, nytp_reader *reader, const nytp_chunk *chunk)
{
    f->queue.offset = chunk->offset;
    switch (chunk->tag) {
    case NYTP_DISCOUNT: f->has_discount = true; return;
    case NYTP_TIME_LINE:
    case NYTP_TIME_BLOCK: add_statement(f, nytp_get_statement(chunk, 1)); return;
    case NYTP_SUB_RETURN: {
        const nytp_return returned = nytp_get_return(chunk);
        add_return(f, &returned);
        return;
    }
    case NYTP_SUB_CALLERS: f->has_sums |= !nytp_is_xsub_mark(chunk); break;
    case NYTP_ATTRIBUTE:
        if (take_parts(f, chunk))
            return;
        break;
    default: break;
    }
    nytp_known_subs_add(&f->subs, chunk);
    f->first->type->chunk(f->first, chunk);
    if (chunk->tag == NYTP_ATTRIBUTE) {
        reader->filter.needs = needed_tags(f);
        nytp_reader_set_tags(reader, reader->filter.wanted);
    }
}

/* Has the filters take as many statements and calls as come in a row. Returns the number of bytes. */
static size_t add_run(filters *f, nytp_reader *reader)
{
    return (reader->wanted & NYTP_TIMES) != 0
               ? nytp_read_unfiltered_events(reader, skip_statements, add_statement, add_return, f)
               : nytp_read_unfiltered_events(reader, NULL, NULL, add_return, f);
}

/* Has the filters take the next chunk, or the end of the profile. Returns what nytp_reader_next() does, but
 * NYTP_OK at an end that they have not taken yet. */
static int add_next(filters *f, nytp_reader *reader)
{
    nytp_chunk chunk;
    const int rc = nytp_next_event(reader, &chunk) ? NYTP_OK : nytp_reader_next_unfiltered(reader, &chunk);
    const bool is_known = f->at_end;
    f->at_end = rc != NYTP_OK;
    if (!f->at_end)
        add(f, reader, &chunk);
    else if (!is_known)
        end_profile(f);
    return is_known ? rc : NYTP_OK;
}

/* Has the filters take chunks until one has passed them. Returns what nytp_reader_next() does. */
static int fill(filters *f, nytp_reader *reader)
{
    int rc = NYTP_OK;
    nytp_filter_queue_empty(&f->queue, reader->filter.wanted);
    while (!nytp_filter_queue_has_some(&f->queue) && rc == NYTP_OK) {
        if ((f->queue.wanted & NYTP_EVENTS) == 0 || (f->lane != NULL && !f->lane->passes))
            add_run(f, reader);
        if (!nytp_filter_queue_has_some(&f->queue))
            rc = add_next(f, reader);
    }
    return rc;
}

/* Returns whether the filters would pass on the events that come next as they are. */
static bool is_idle(const filters *f)
{
    bool idle = nytp_filter_queue_is_read(&f->queue) && f->parts == 0 && f->request == 0 && !f->has_discount;
    for (const nytp_filter *filter = f->first; idle && filter != &f->queue.filter; filter = filter->next)
        idle = filter->type->passes_all != NULL && filter->type->passes_all(filter);
    return idle;
}

static int next(void *context, nytp_reader *reader, nytp_chunk *chunk)
{
    filters *f = context;
    do {
        if (nytp_filter_queue_is_read(&f->queue)) {
            const int rc = fill(f, reader);
            if (rc != NYTP_OK)
                return rc;
        }
        nytp_filter_queue_deliver(&f->queue, chunk);
    } while ((nytp_tag_bits[chunk->tag & 0xFF] & reader->filter.wanted) == 0);
    reader->filter.is_idle = is_idle(f);
    return NYTP_OK;
}

size_t nytp_filters_read_events(nytp_reader *reader, nytp_on_statement_fn *on_statement,
                                nytp_on_return_fn *on_return, void *context)
{
    filters *f = reader->filter.context;
    nytp_filter_queue *q = &f->queue;
    if (!nytp_filter_queue_is_read(q))
        return 0;
    nytp_filter_queue_empty(q, reader->filter.wanted);
    q->in_run = true;
    q->on_statement = on_statement;
    q->on_return = on_return;
    q->context = context;
    size_t bytes = 0;
    do
        bytes += add_run(f, reader);
    while (!nytp_filter_queue_has_some(q) && !f->at_end && add_next(f, reader) == NYTP_OK);
    q->in_run = false;
    return bytes;
}

int nytp_filters_attach(const nytp_filter_options *options, nytp_reader *reader)
{
    filters *f = new_filters(options);
    if (f != NULL) {
        reader->filter = (nytp_reader_filter){.next = next,
                                              .free = free_filters,
                                              .context = f,
                                              .needs = needed_tags(f),
                                              .wanted = reader->wanted};
        nytp_reader_set_tags(reader, reader->wanted);
    }
    return options->no_labels ? nytp_reader_drop_labels(reader) : 0;
}

char *nytp_filters_missing(const nytp_reader *reader)
{
    const filters *f = reader->filter.context;
    char *missing = NULL;
    for (const nytp_filter *filter = f != NULL ? f->first : NULL; filter != NULL && missing == NULL;
         filter = filter->next)
        if (filter->type->missing != NULL)
            missing = filter->type->missing(filter);
    return missing;
}

char *nytp_filters_wrong(const nytp_reader *reader)
{
    const filters *f = reader->filter.context;
    if (f != NULL && f->lacks_calls)
        return g_strdup(
            "has only sums of its calls: filters need profiles that were recorded with calls=1 or 2");
    char *wrong = NULL;
    for (const nytp_filter *filter = f != NULL ? f->first : NULL; filter != NULL && wrong == NULL;
         filter = filter->next)
        if (filter->type->wrong != NULL)
            wrong = filter->type->wrong(filter);
    return wrong;
}

bool nytp_filters_sum_calls(const nytp_reader *reader)
{
    const filters *f = reader->filter.context;
    return f != NULL && f->sums_calls;
}

double nytp_filters_left_out_ticks(const nytp_reader *reader)
{
    const filters *f = reader->filter.context;
    double ticks = 0;
    for (const nytp_filter *filter = f != NULL ? f->first : NULL; filter != NULL; filter = filter->next)
        ticks += filter->left_out_ticks;
    return ticks;
}
