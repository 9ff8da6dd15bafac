#include "file_name.h"

#include "model/eval_name.h"

#include <glib.h>
#include <string.h>

bool cg_file_is_eval(nytp_str name)
{
    nytp_eval_name e;
    return nytp_eval_name_parse(name, &e);
}

/* Returns the outermost file followed by ".eval-5@26" for each eval, the outermost eval first. In names of
 * evals the outermost file comes last, so the endings are collected on the way to it. */
static GString *with_evals_last(nytp_str name)
{
    nytp_eval_name e;
    GString *ends = g_string_new(NULL);
    while (nytp_eval_name_parse(name, &e)) {
        g_autoptr(GString) one = g_string_new(NULL);
        g_string_append_printf(one, "%s%.*s-%.*s", e.file.length > 0 ? "." : "", (int)e.kind.length,
                               e.kind.bytes, (int)e.number.length, e.number.bytes);
        if (e.line.length > 0)
            g_string_append_printf(one, "@%.*s", (int)e.line.length, e.line.bytes);
        g_string_prepend_len(ends, one->str, (gssize)one->len);
        name = e.file;
    }
    g_autofree char *innermost = nytp_name_clean(name);
    g_string_prepend(ends, innermost);
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
