/* The marks of a tmon.out: the lines after its header, in three dialects.
 *
 *   & ID PACKAGE NAME     defines a hexadecimal id (newest dialect only)
 *   @ USER SYSTEM REAL    ticks since the last line of this kind
 *   + WHAT                enters a sub
 *   - WHAT                leaves it
 *   / WHAT                leaves it by dying
 *   * WHAT                goto &sub; the exit mark that follows has the name of the sub that was entered
 *
 * WHAT is an id; or "& Package::name"; or, in the oldest dialect, "USER SYSTEM REAL Package::name" with
 * absolute times. While the profiler writes, the sub is "Devel::DProf::write".
 */
#include "format/dprof/tmonstate.h"

#include "base/str.h"

#include <math.h>
#include <string.h>

typedef struct cursor {
    const char *at, *end;
} cursor;

static inline void skip_spaces(cursor *c)
{
    while (c->at < c->end && *c->at == ' ')
        c->at++;
}

static inline bool get_hex(cursor *c, uint32_t *value)
{
    enum { MAX_DIGITS = 8 };
    const char *start = c->at;
    uint32_t v = 0;
    for (; c->at < c->end; c->at++) {
        unsigned char byte = (unsigned char)*c->at;
        unsigned digit = byte - '0';
        if (digit > 9) {
            digit = (byte | 0x20U) - 'a';
            if (digit > 5)
                break;
            digit += 10;
        }
        v = v << 4 | digit;
    }
    *value = v;
    return c->at > start && c->at - start <= MAX_DIGITS;
}

/* Reads at most 15 digits, so that a double holds the number. No line ends with a digit: a newline follows,
 * or, at the end of the input, the zeros of the padding. */
static inline bool get_ticks(const char **at, double *value)
{
    enum { MAX_DIGITS = 15 };
    const char *p = *at;
    bool negative = *p == '-';
    const char *start = p += negative;
    int64_t v = 0;
    for (unsigned digit; (digit = (unsigned char)*p - '0') <= 9 && p - start <= MAX_DIGITS; p++)
        v = v * 10 + digit;
    *value = (double)(negative ? -v : v);
    *at = p;
    return p > start && p - start <= MAX_DIGITS;
}

/* Reads USER SYSTEM REAL. *ticks receives the ticks of the chosen clock. */
static inline bool get_times(const struct nytp_tmon *t, cursor *c, double *ticks)
{
    const char *at = c->at;
    double one[3];
    for (int i = 0; i < 3; i++) {
        while (*at == ' ')
            at++;
        if (!get_ticks(&at, &one[i]))
            return false;
    }
    c->at = at;
    *ticks = one[0] * t->weights[0] + one[1] * t->weights[1] + one[2] * t->weights[2];
    return at == c->end || *at == ' ';
}

static nytp_decode_result fail(nytp_reader *r, const char *what)
{
    return nytp_reader_fail_at(r, NYTP_ERR_FORMAT, r->at, what);
}

typedef struct mark {
    char sign;
    bool timed;    /* oldest dialect: time_ticks is set */
    bool is_write; /* the profiler itself; the members below are not set */
    uint64_t key;  /* identifies the sub: its id, or for a name a number larger than any id */
    uint32_t sub;
    double time_ticks;
} mark;

/* Sets key and sub, or is_write, of a mark with a name. */
static nytp_decode_result name_mark(nytp_reader *r, mark *m, const cursor *c)
{
    const nytp_str name = {c->at, (size_t)(c->end - c->at), false};
    if (name.length == 0)
        return fail(r, "expected the name of a sub");
    m->is_write = nytp_str_is(name, "Devel::DProf::write");
    if (m->is_write)
        return NYTP_DECODED;
    int64_t sub = nytp_tmon_sub_of_name(&r->tmon->calls, name.bytes, name.length);
    if (sub < 0)
        return nytp_reader_out_of_memory(r);
    m->sub = (uint32_t)sub;
    m->key = UINT64_C(1) << 32 | m->sub;
    return NYTP_DECODED;
}

static nytp_decode_result get_mark(nytp_reader *r, const nytp_str *line, mark *m)
{
    cursor c = {line->bytes + 1, line->bytes + line->length};
    uint32_t id;
    *m = (mark){.sign = *line->bytes};
    skip_spaces(&c);
    const char *start = c.at;
    if (get_hex(&c, &id) && c.at == c.end) {
        m->key = id;
        m->sub = nytp_tmon_sub_of_id(&r->tmon->calls, id);
        return m->sub != NYTP_TMON_NONE ? NYTP_DECODED : fail(r, "expected an id that was defined before");
    }
    c.at = start;
    if (c.at < c.end && *c.at == '&') {
        c.at++;
    } else {
        m->timed = get_times(r->tmon, &c, &m->time_ticks);
        if (!m->timed)
            return fail(r, "expected an id, \"& NAME\" or \"USER SYSTEM REAL NAME\" after the mark");
    }
    skip_spaces(&c);
    return name_mark(r, m, &c);
}

static void apply_write(struct nytp_tmon *t, char sign)
{
    if (sign == '+') {
        t->write_began_ticks = t->time_ticks;
    } else if (!isnan(t->write_began_ticks)) {
        if (!t->options.with_overhead)
            t->profiler_ticks += t->time_ticks - t->write_began_ticks + t->mark_ticks;
        t->write_began_ticks = NAN;
    }
}

static nytp_decode_result decode_times(nytp_reader *r, const nytp_str *line)
{
    cursor c = {line->bytes + 1, line->bytes + line->length};
    double ticks;
    if (!get_times(r->tmon, &c, &ticks) || c.at != c.end)
        return fail(r, "expected \"@ USER SYSTEM REAL\", three whole numbers of ticks");
    r->tmon->time_ticks += ticks;
    return NYTP_SKIPPED;
}

/* Decodes "& ID PACKAGE NAME". */
static nytp_decode_result decode_definition(nytp_reader *r, const nytp_str *line)
{
    struct nytp_tmon *t = r->tmon;
    cursor c = {line->bytes + 1, line->bytes + line->length};
    uint32_t id;
    skip_spaces(&c);
    const char *digits = c.at;
    if (!get_hex(&c, &id) || c.at == c.end || *c.at != ' ')
        return fail(r, "expected \"& ID PACKAGE NAME\", with a hexadecimal id");
    nytp_str id_text = {digits, (size_t)(c.at - digits), false};
    const char *package = ++c.at;
    const char *space = memchr(package, ' ', (size_t)(c.end - package));
    if (space == NULL) /* but the name may be empty: perl may have freed it */
        return fail(r, "expected \"& ID PACKAGE NAME\", with a name");
    nytp_str parts[] = {{package, (size_t)(space - package), false},
                        {space + 1, (size_t)(c.end - space - 1), false}};
    int64_t sub = nytp_tmon_sub_of_parts(&t->calls, parts, t->options.number_anons ? &id_text : NULL);
    if (sub < 0 || nytp_tmon_define(&t->calls, id, (uint32_t)sub) < 0)
        return nytp_reader_out_of_memory(r);
    t->just_defined = true;
    return NYTP_SKIPPED;
}

void nytp_tmon_fill_entry(const nytp_tmon_calls *calls, uint32_t sub, nytp_chunk *chunk)
{
    chunk->tag = NYTP_SUB_ENTRY;
    chunk->sub_entry.fid = NYTP_TMON_FID;
    chunk->sub_entry.line = 0;
    chunk->sub_entry.name = calls->subs[sub].name;
}

static nytp_decode_result enter(nytp_reader *r, const mark *m, nytp_chunk *chunk)
{
    struct nytp_tmon *t = r->tmon;
    t->profiler_ticks += t->mark_ticks;
    if (nytp_tmon_push(&t->calls, m->key, m->key, m->sub, nytp_tmon_now(t)) < 0)
        return nytp_reader_out_of_memory(r);
    nytp_tmon_fill_entry(&t->calls, m->sub, chunk);
    return NYTP_DECODED;
}

static nytp_decode_result leave(nytp_reader *r, nytp_chunk *chunk)
{
    struct nytp_tmon *t = r->tmon;
    t->profiler_ticks += t->mark_ticks;
    return nytp_tmon_pop(&t->calls, nytp_tmon_now(t), chunk) < 0 ? nytp_reader_out_of_memory(r)
                                                                 : NYTP_DECODED;
}

/* A goto counts as two marks: the old sub returns, and the SUB_ENTRY of the new one is then due. */
static nytp_decode_result replace(nytp_reader *r, const mark *m, nytp_chunk *chunk)
{
    struct nytp_tmon *t = r->tmon;
    if (t->calls.depth == 0)
        return fail(r, "expected a running sub, which a goto replaces");
    uint64_t entered = t->calls.frames[t->calls.depth - 1].entered;
    if (leave(r, chunk) == NYTP_FAILED)
        return NYTP_FAILED;
    t->profiler_ticks += t->mark_ticks;
    if (nytp_tmon_push(&t->calls, entered, m->key, m->sub, nytp_tmon_now(t)) < 0)
        return nytp_reader_out_of_memory(r);
    t->entry_due = m->sub;
    return NYTP_DECODED;
}

static inline bool is_of(const nytp_tmon_frame *frame, uint64_t key)
{
    return frame->entered == key || frame->running == key;
}

/* Leaves the innermost call if that is the one of the mark. Otherwise starts to unwind the calls above it;
 * the mark is decoded again afterwards. */
static nytp_decode_result leave_call_of_mark(nytp_reader *r, const mark *m, nytp_chunk *chunk)
{
    struct nytp_tmon *t = r->tmon;
    size_t depth = t->calls.depth;
    while (depth > 0 && !is_of(&t->calls.frames[depth - 1], m->key))
        depth--;
    if (depth == 0)
        return fail(r, "expected the exit of a sub that was entered before");
    if (depth == t->calls.depth)
        return leave(r, chunk);
    t->unwind_to = depth;
    t->stage = TMON_UNWIND;
    return NYTP_SKIPPED;
}

void nytp_tmon_end_marks(struct nytp_tmon *t)
{
    if (!isnan(t->write_began_ticks) && !t->options.with_overhead)
        t->profiler_ticks += t->time_ticks - t->write_began_ticks;
    t->no_more = true;
    t->unwind_to = 0;
    t->stage = TMON_UNWIND;
}

static nytp_decode_result decode_call(nytp_reader *r, const nytp_str *line, nytp_chunk *chunk)
{
    struct nytp_tmon *t = r->tmon;
    mark m;
    if (get_mark(r, line, &m) == NYTP_FAILED)
        return NYTP_FAILED;
    t->just_defined = false;
    if (m.timed)
        t->time_ticks = m.time_ticks;
    if (m.is_write) {
        apply_write(t, m.sign);
        return NYTP_SKIPPED;
    }
    switch (m.sign) {
    case '+': return enter(r, &m, chunk);
    case '*': return replace(r, &m, chunk);
    default: return leave_call_of_mark(r, &m, chunk);
    }
}

nytp_decode_result nytp_tmon_decode_mark(nytp_reader *r, const nytp_str *line, nytp_chunk *chunk)
{
    if (line->length == 0)
        return NYTP_SKIPPED;
    switch (*line->bytes) {
    case '+':
    case '-':
    case '/':
    case '*': return decode_call(r, line, chunk);
    case '@': return decode_times(r, line);
    case '&': return decode_definition(r, line);
    case '#': return NYTP_SKIPPED;
    default: break;
    }
    if (!nytp_tmon_begins_part(line)) {
        if (r->tmon->just_defined) /* a name with a newline in it */
            return nytp_reader_skip_line(r, "a line was skipped that belongs to the name before it");
        return fail(r, "expected a mark: one of + - / * @ & #");
    }
    nytp_tmon_end_marks(r->tmon); /* no version of the profiler writes a second part */
    return NYTP_SKIPPED;
}

nytp_decode_result nytp_tmon_decode_last(nytp_reader *r, const nytp_str *line, nytp_chunk *chunk)
{
    struct nytp_tmon *t = r->tmon;
    int sign = line->length > 0 ? *line->bytes : '#';
    if (sign == '+' || sign == '*' || sign == '&') {
        t->cut = true; /* a complete file does not end with such a line, and its name may be cut */
        return NYTP_SKIPPED;
    }
    nytp_decode_result result = nytp_tmon_decode_mark(r, line, chunk);
    if (t->stage == TMON_UNWIND && !t->no_more) {
        t->stage = TMON_MARKS;
        t->cut = true;
    } else if (result == NYTP_FAILED && r->error.code == NYTP_ERR_FORMAT) {
        r->error = (nytp_error){0};
        r->ended = NYTP_OK;
        t->cut = true;
        return NYTP_SKIPPED;
    }
    return result;
}
