/* Comments of Devel::Cover that excuse code: "# uncoverable branch true count:2 note:never". */
#include "cover/units.h"

#include "base/str.h"
#include "model/grow.h"

#include <string.h>

/* The words of Devel::Cover. */
static const char *const criteria[NYTP_COVER_CRITERIA] = {"statement", "branch", "condition", "subroutine"};

enum { MOST_COUNTED = 64 };

/* The outcomes of a condition, in the order in which Devel::Cover has them. */
enum { LEFT, RIGHT, NEITHER };

typedef struct comment {
    enum nytp_cover_criterion criterion;
    uint32_t line;
    uint32_t outcomes; /* of a branch: bits of nytp_cover_outcome; of a condition: 1 << LEFT and so on */
    uint64_t counts;   /* bit n - 1: the nth one of the line */
    bool is_silent;    /* it may have run */
} comment;

typedef struct excuses {
    nytp_cover_file *file;
    GArray *waiting; /* comment: for the next line of code */
    GArray *gone;    /* uint32_t: lines that are excused */
    nytp_cover_say *say;
    void *context;
} excuses;

/* "1,3..5", whose first one is 1. */
static uint64_t counts_of(const char *text)
{
    uint64_t counts = 0;
    for (char *end; g_ascii_isdigit(*text); text = end + (*end == ',')) {
        uint64_t from = g_ascii_strtoull(text, &end, 10), to = from;
        if (g_str_has_prefix(end, ".."))
            to = g_ascii_strtoull(end + 2, &end, 10);
        for (; from > 0 && from <= MIN(to, MOST_COUNTED); from++)
            counts |= UINT64_C(1) << (from - 1);
    }
    return counts;
}

/* Returns the outcomes that a word says; 0 if it is none. */
static uint32_t outcomes_of(enum nytp_cover_criterion criterion, const char *word)
{
    if (criterion == NYTP_COVER_BRANCHES)
        return g_str_has_prefix(word, "true")    ? NYTP_COVER_RAN
               : g_str_has_prefix(word, "false") ? NYTP_COVER_SKIPPED
               : g_str_has_prefix(word, "all")   ? NYTP_COVER_BOTH_WAYS
                                                 : 0;
    return g_str_has_prefix(word, "left")    ? 1 << LEFT
           : g_str_has_prefix(word, "right") ? 1 << RIGHT
           : g_str_has_prefix(word, "false") ? 1 << NEITHER
                                             : 0;
}

/* Reads what follows "# uncoverable ". Returns false if it is not of a criterion that is counted here. */
static bool read_comment(const char *text, comment *c)
{
    for (c->criterion = 0; c->criterion < NYTP_COVER_CRITERIA; c->criterion++)
        if (g_str_has_prefix(text, criteria[c->criterion]))
            break;
    if (c->criterion == NYTP_COVER_CRITERIA)
        return false;
    text += strlen(criteria[c->criterion]);
    g_autofree char *details = g_strndup(text, strcspn(text, "\n"));
    char *note = strstr(details, "note:");
    if (note != NULL)
        *note = '\0';
    const char *count = strstr(details, "count:");
    c->counts = count != NULL ? counts_of(count + strlen("count:")) : 1;
    c->is_silent = strstr(details, "class:ignore_covered_err") != NULL;
    if (c->criterion == NYTP_COVER_BRANCHES || c->criterion == NYTP_COVER_CONDITIONS)
        c->outcomes = outcomes_of(c->criterion, details + strspn(details, " \t"));
    return true;
}

static void say(const excuses *e, const comment *c, const char *what)
{
    e->say(e->context, e->file, c->line, criteria[c->criterion], what);
}

static bool is_of(enum nytp_cover_criterion criterion, const nytp_cover_branch *b)
{
    if (b->op == NYTP_COVER_CONDITION)
        return criterion == NYTP_COVER_BRANCHES;
    const bool is_plain = b->op == NYTP_COVER_AND || b->op == NYTP_COVER_OR;
    const bool is_statement = is_plain && (b->want == NYTP_COVER_VOID || b->want == NYTP_COVER_OF_SUB);
    return criterion == NYTP_COVER_BRANCHES
               ? is_statement
               : b->op != NYTP_COVER_DEFAULT && !(is_plain && b->want == NYTP_COVER_VOID);
}

/* Of &&, "right" is that the right operand is false, of the others that it is true. It need not be evaluated
 * if both are excused, or if its value is not looked at. */
static uint32_t excused_outcomes(const nytp_cover_branch *b, const comment *c)
{
    if (c->criterion == NYTP_COVER_BRANCHES)
        return c->outcomes;
    const bool is_and = b->op == NYTP_COVER_AND || b->op == NYTP_COVER_AND_ASSIGN;
    uint32_t excused = (c->outcomes & 1 << LEFT) != 0 ? NYTP_COVER_SKIPPED : 0;
    if ((c->outcomes & 1 << RIGHT) != 0)
        excused |= is_and ? NYTP_COVER_FALSE : NYTP_COVER_TRUE;
    if ((c->outcomes & 1 << NEITHER) != 0)
        excused |= is_and ? NYTP_COVER_TRUE : NYTP_COVER_FALSE;
    const uint32_t values = (excused | b->excused) & NYTP_COVER_BOTH_VALUES;
    return values == NYTP_COVER_BOTH_VALUES || (values != 0 && !b->has_values) ? excused | NYTP_COVER_RAN
                                                                               : excused;
}

/* Excuses the branches of a line that the comment counts. Returns whether there are any. */
static bool excuse_branches(const excuses *e, const comment *c, uint32_t line)
{
    bool found = false;
    unsigned nth = 0;
    NYTP_EACH(nytp_cover_branch, b, e->file->branches) {
        if (b->line != line || !is_of(c->criterion, b) || nth >= MOST_COUNTED)
            continue;
        if ((c->counts >> nth++ & 1) == 0)
            continue;
        found = true;
        const uint32_t outcomes = excused_outcomes(b, c);
        if ((outcomes & ~b->excused & b->seen) != 0 && !c->is_silent)
            say(e, c, "has run");
        b->excused |= outcomes;
    }
    return found;
}

static bool excuse_statements(const excuses *e, const comment *c, uint32_t line)
{
    const nytp_cover_line *l = nytp_cover_line_at(e->file, line);
    if (l == NULL)
        return false;
    if (l->ran && c->counts == 1 && !c->is_silent)
        say(e, c, "has run");
    g_array_append_val(e->gone, line);
    return true;
}

/* A sub is on the line of its first statement. */
static bool excuse_sub(const excuses *e, const comment *c, uint32_t line)
{
    for (guint i = 0; i < e->file->subs->len; i++) {
        const nytp_cover_sub *sub = &g_array_index(e->file->subs, nytp_cover_sub, i);
        if (sub->line < line)
            continue;
        if (sub->ran && !c->is_silent)
            say(e, c, "has run");
        g_array_remove_index(e->file->subs, i);
        return true;
    }
    return false;
}

static void apply(const excuses *e, const comment *c, uint32_t line)
{
    const bool found = c->criterion == NYTP_COVER_LINES  ? excuse_statements(e, c, line)
                       : c->criterion == NYTP_COVER_SUBS ? excuse_sub(e, c, line)
                                                         : excuse_branches(e, c, line);
    if (!found)
        say(e, c, "is not there");
}

/* Looks at a line of the source, which ends with a newline or the text. */
static void read_line(const excuses *e, const char *text, uint32_t line)
{
    static const char mark[] = "# uncoverable ";
    const size_t length = strcspn(text, "\n"), blanks = strspn(text, " \t\r");
    const char *found = g_strstr_len(text, (gssize)length, mark);
    comment c = {.line = line};
    if (found != NULL && read_comment(found + strlen(mark), &c))
        g_array_append_val(e->waiting, c);
    if (blanks >= length || text[blanks] == '#')
        return;
    NYTP_EACH(const comment, waiting, e->waiting)
        apply(e, waiting, line);
    g_array_set_size(e->waiting, 0);
}

/* Branches of which nothing is left are gone, too. */
static void remove_excused(const excuses *e)
{
    guint lines = 0, branches = 0;
    NYTP_EACH(const nytp_cover_line, l, e->file->lines) {
        bool is_gone = false;
        NYTP_EACH(const uint32_t, line, e->gone)
            is_gone |= *line == l->line;
        if (!is_gone)
            g_array_index(e->file->lines, nytp_cover_line, lines++) = *l;
    }
    NYTP_EACH(const nytp_cover_branch, b, e->file->branches)
        if (nytp_cover_branch_count(b).all + nytp_cover_condition_count(b).all > 0)
            g_array_index(e->file->branches, nytp_cover_branch, branches++) = *b;
    g_array_set_size(e->file->lines, lines);
    g_array_set_size(e->file->branches, branches);
}

void nytp_cover_excuse(nytp_cover_file *file, const char *source, nytp_cover_say *tell, void *context)
{
    if (strstr(source, "# uncoverable ") == NULL)
        return;
    const excuses e = {file, NYTP_ARRAY(comment), NYTP_ARRAY(uint32_t), tell, context};
    uint32_t line = 1;
    for (const char *at = source; *at != '\0' && !g_str_has_prefix(at, "__END__"); line++) {
        read_line(&e, at, line);
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    NYTP_EACH(const comment, c, e.waiting)
        say(&e, c, "is not there");
    remove_excused(&e);
    nytp_cover_recount(file);
    g_array_unref(e.waiting);
    g_array_unref(e.gone);
}
