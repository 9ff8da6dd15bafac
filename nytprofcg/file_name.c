#include "file_name.h"

#include "model/names.h"

#include <glib.h>
#include <string.h>

/* ---- evals ---- */

/* "(eval 5)[t.pl:26]": kind "eval", number "5", inner "t.pl", line "26". An eval within an eval has that as
 * inner. */
typedef struct eval_name {
    nytp_str kind, number, inner, line;
} eval_name;

static nytp_str between(const char *from, const char *to)
{
    return (nytp_str){from, (size_t)(to - from), false};
}

static bool all_digits(nytp_str s)
{
    for (size_t i = 0; i < s.length; i++)
        if (!g_ascii_isdigit(s.bytes[i]))
            return false;
    return s.length > 0;
}

/* Reads "(eval 5)" at the beginning of name. *rest becomes what follows. */
static bool parse_front(nytp_str name, eval_name *e, nytp_str *rest)
{
    const char *end = name.bytes + name.length;
    const char *close = name.length > 0 && name.bytes[0] == '(' ? memchr(name.bytes, ')', name.length) : NULL;
    const char *blank = close != NULL ? memchr(name.bytes, ' ', (size_t)(close - name.bytes)) : NULL;
    if (blank == NULL)
        return false;
    e->kind = between(name.bytes + 1, blank);
    e->number = between(blank + 1, close);
    *rest = between(close + 1, end);
    bool known = (e->kind.length == 4 && memcmp(e->kind.bytes, "eval", 4) == 0) ||
                 (e->kind.length == 7 && memcmp(e->kind.bytes, "re_eval", 7) == 0);
    return known && all_digits(e->number);
}

static bool parse_eval(nytp_str name, eval_name *e)
{
    nytp_str rest;
    if (!parse_front(name, e, &rest))
        return false;
    e->inner = e->line = (nytp_str){"", 0, false};
    if (rest.length == 0) /* recorded with nameevals=0 */
        return true;
    const char *last = rest.bytes + rest.length - 1;
    const char *colon = rest.length > 2 ? memrchr(rest.bytes, ':', rest.length) : NULL;
    if (rest.bytes[0] != '[' || *last != ']' || colon == NULL)
        return false;
    e->inner = between(rest.bytes + 1, colon);
    e->line = between(colon + 1, last);
    return all_digits(e->line);
}

bool cg_file_is_eval(nytp_str name)
{
    eval_name e;
    return parse_eval(name, &e);
}

/* The outermost file comes first here and last in the names of evals, so the ends are collected on the way to
 * it. */
static GString *with_evals_last(nytp_str name)
{
    eval_name e;
    GString *ends = g_string_new(NULL);
    while (parse_eval(name, &e)) {
        GString *one = g_string_new(NULL);
        g_string_append_printf(one, "%s%.*s-%.*s", e.inner.length > 0 ? "." : "", (int)e.kind.length,
                               e.kind.bytes, (int)e.number.length, e.number.bytes);
        if (e.line.length > 0)
            g_string_append_printf(one, "@%.*s", (int)e.line.length, e.line.bytes);
        g_string_prepend_len(ends, one->str, (gssize)one->len);
        g_string_free(one, TRUE);
        name = e.inner;
    }
    char *innermost = nytp_name_clean(name);
    g_string_prepend(ends, innermost);
    g_free(innermost);
    return ends;
}

char *cg_file_name(nytp_str name)
{
    GString *text = with_evals_last(name);
    g_string_replace(text, ":", "%3A", 0);
    if (text->len == 0)
        g_string_append(text, "???");
    return g_string_free(text, FALSE);
}
