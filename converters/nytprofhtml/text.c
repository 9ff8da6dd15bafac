#include "text.h"

#include "base/str.h"
#include "nytprof-model.h"

#include <glib.h>
#include <math.h>
#include <string.h>

char *html_text_clean(const char *text)
{
    return nytp_name_clean(nytp_str_of(text));
}

void html_put(FILE *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_markup_vprintf_escaped(format, arguments);
    va_end(arguments);
    g_autoptr(GString) shown = g_string_new(text);
    g_string_replace(shown, "&apos;", "&#39;", 0); /* which HTML 4 has, too */
    fputs(shown->str, out);
}

const char *html_short_path(const char *path)
{
    const char *slash = strrchr(path, '/'), *before = slash;
    while (before != NULL && before > path && before[-1] != '/')
        before--;
    return before != NULL && *path == '/' && before > path ? before : path;
}

nytp_amount html_shown(nytp_amount amount)
{
    char *micro = strstr(amount.text, " us");
    if (micro != NULL)
        memcpy(micro, " µs", sizeof " µs");
    return amount;
}

void html_use_micro_sign(GString *text)
{
    for (const char *at = text->str; (at = strstr(at, " us")) != NULL; at += strlen(" us")) {
        if (at == text->str || !g_ascii_isdigit(at[-1]) || g_ascii_isalnum(at[3]) || at[3] == '_')
            continue;
        const gssize place = at + 1 - text->str;
        g_string_erase(text, place, 1);
        g_string_insert(text, place, "µ");
        at = text->str + place;
    }
}

nytp_amount html_amount(const html_report *report, double ticks)
{
    return html_shown(nytp_amount_ticks(&report->measure, ticks));
}

nytp_amount html_seconds(double seconds)
{
    const nytp_measure time = nytp_measure_new();
    return html_shown(nytp_amount_ticks(&time, seconds * time.ticks_per_base));
}
