#include "shares.h"

#include "model/load_name.h"

#include <string.h>

/* Whether a sub's last part is word, as main::BEGIN and main::BEGIN@12 are for BEGIN. */
static bool is_block(const char *name, const char *word)
{
    const char *last = NULL;
    for (const char *at = name; (at = strstr(at, "::")) != NULL; at += 2)
        last = at + 2;
    size_t length = strlen(word);
    return last != NULL && strncmp(last, word, length) == 0 && (last[length] == '\0' || last[length] == '@');
}

static void add_phases(const html_report *r, html_shares *shares)
{
    for (guint i = 0; i < r->stacks->len;) {
        const html_stack *s = &g_array_index(r->stacks, html_stack, i);
        const char *name = html_report_sub(r, s->sub)->name;
        bool compile = is_block(name, "BEGIN");
        if (compile || is_block(name, "END")) {
            shares->phases[compile ? HTML_COMPILE : HTML_END] += MAX(s->incl_ticks, 0);
            i = s->end;
        } else {
            i++;
        }
    }
    double rest = (double)r->ticks - shares->phases[HTML_COMPILE] - shares->phases[HTML_END];
    shares->phases[HTML_RUN] = MAX(rest, 0);
}

/* require and do FILE run statements, whose time the files have. */
static bool runs_statements(const html_sub *s)
{
    return s->kind == NYTP_SUB_PERL || nytp_is_load((nytp_str){s->name, strlen(s->name), false});
}

static void add_origins(const html_report *r, html_shares *shares)
{
    for (guint i = 0; i < r->files->len; i++)
        shares->origins[html_report_file(r, i)->origin] += (double)html_report_file(r, i)->ticks;
    for (guint i = 0; i < r->arcs->len; i++) {
        const html_arc *a = &g_array_index(r->arcs, html_arc, i);
        if (runs_statements(html_report_sub(r, a->of.callee)) || a->file < 0)
            continue;
        shares->native += (double)a->of.excl_ticks;
        shares->origins[html_report_file(r, (size_t)a->file)->origin] -= (double)a->of.excl_ticks;
    }
}

html_shares html_shares_of(const html_report *report)
{
    html_shares shares = {0};
    add_phases(report, &shares);
    add_origins(report, &shares);
    return shares;
}
