#include "shares.h"

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

static void add_origins(const html_report *r, html_shares *shares)
{
    double sum = 0;
    for (guint i = 0; i < r->subs->len; i++) {
        const double ticks = (double)MAX(html_report_sub(r, i)->excl_ticks, 0);
        const int origin = html_report_sub_origin(r, i);
        *(origin == HTML_UNKNOWN ? &shares->unknown : &shares->origins[origin]) += ticks;
        sum += ticks;
    }
    shares->outside = MAX((double)r->ticks - sum, 0);
}

html_shares html_shares_of(const html_report *report)
{
    html_shares shares = {0};
    add_phases(report, &shares);
    add_origins(report, &shares);
    return shares;
}
