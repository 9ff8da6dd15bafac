#include "draw.h"

#include "export/table.h"
#include "nytprof-model.h"

#include <stdio.h>
#include <string.h>

static char *escaped(const char *text, const char *backslash)
{
    GString *out = g_string_new(NULL);
    for (const char *c = text; *c != '\0'; c++) {
        switch (*c) {
        case '\\': g_string_append(out, backslash); break;
        case '\n': g_string_append(out, "\\n"); break;
        case '&': g_string_append(out, "&amp;"); break;
        default: g_string_append_c(out, *c); break;
        }
    }
    return g_string_free(out, FALSE);
}

char *dot_label_escaped(const char *text)
{
    return escaped(text, "\\\\");
}

char *dot_label_tip_escaped(const char *text)
{
    return escaped(text, "\\\\\\\\");
}

nytp_amount dot_label_percent(double share)
{
    const double least_shown = 0.0005;
    nytp_amount a = {"<0.1 %"};
    if (!(share > 0 && share < least_shown))
        snprintf(a.text, sizeof a.text, "%.1f %%", share * 100);
    return a;
}

nytp_amount dot_label_time(const dot_graph *g, double ticks)
{
    return nytp_amount_ticks(&g->measure, ticks);
}

nytp_amount dot_label_change(const dot_graph *g, double ticks)
{
    const nytp_amount size = dot_label_time(g, ticks < 0 ? -ticks : ticks);
    nytp_amount a;
    snprintf(a.text, sizeof a.text, "%s%.40s", ticks < 0 ? "\xe2\x88\x92" : "+", size.text);
    return a;
}

/* Returns the first byte at `at` or after it that begins a character. */
static const char *character_from(const char *at)
{
    while (((unsigned char)*at & 0xC0) == 0x80)
        at++;
    return at;
}

char *dot_label_name(nytp_str name)
{
    /* dot reads at most 16384 bytes between backslashes or quotes. */
    enum { LONGEST = 15100, HEAD = 1000, TAIL = 400 };
    g_autofree char *clean = nytp_name_clean(name);
    size_t length = strlen(clean), written = length;
    for (const char *at = clean; *at != '\0'; at++)
        written += *at == '&' ? strlen("amp;") : 0;
    if (written <= LONGEST)
        return g_steal_pointer(&clean);
    int head = (int)(character_from(clean + HEAD) - clean);
    return g_strdup_printf("%.*s\xe2\x80\xa6%s", head, clean, character_from(clean + length - TAIL));
}

char *dot_label_short(const char *name)
{
    enum { LONGEST = 32 }; /* six boxes beside one another are to be read on a page of A4 */
    return nytp_fit(name, LONGEST, false);
}
