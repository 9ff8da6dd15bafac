#include "text.h"

#include "nytprof-model.h"

#include <glib.h>
#include <math.h>
#include <string.h>

char *html_text_clean(const char *text)
{
    return nytp_name_clean((nytp_str){text, strlen(text), false});
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

double html_step_s(double sampled_hz)
{
    const double exact = 1e-9; /* log10(1000) may be less than 3 */
    return sampled_hz > 0 ? pow(10, floor(exact - log10(sampled_hz))) : 0;
}

html_unit html_unit_for(double largest_s, double step_s)
{
    largest_s = fmax(largest_s, step_s);
    if (largest_s >= 1)
        return (html_unit){"s", 1, step_s, 3};
    if (largest_s >= 1e-3)
        return (html_unit){"ms", 1e3, step_s, largest_s >= 0.1 ? 1 : 2};
    return (html_unit){"µs", 1e6, step_s, 1};
}

html_unit html_unit_for_columns(double a_s, double b_s, double step_s)
{
    const double most = fmax(a_s, b_s), least = fmin(a_s, b_s);
    return html_unit_for(least > 0 ? fmax(least, most / 1000) : most, step_s);
}

html_number html_in_unit(html_unit unit, double seconds)
{
    html_number number;
    int decimals = unit.decimals;
    if (unit.step_s > 0) {
        seconds = round(seconds / unit.step_s) * unit.step_s;
        decimals = (int)fmin(decimals, fmax(0, round(-log10(unit.step_s * unit.per_s))));
    }
    snprintf(number.text, sizeof number.text, "%.*f", decimals, seconds * unit.per_s);
    return number;
}

html_number html_time(double seconds, double step_s)
{
    html_unit unit = html_unit_for(fabs(seconds), step_s);
    double value = fabs(seconds * unit.per_s);
    unit.decimals = value >= 100 ? 0 : value >= 10 ? 1 : 2;
    html_number number = html_in_unit(unit, seconds);
    g_strlcat(number.text, " ", sizeof number.text);
    g_strlcat(number.text, unit.name, sizeof number.text);
    return number;
}

int html_heat_of(double share)
{
    const double least = 0.005;
    if (!(share >= least))
        return 0;
    return (int)fmin(HTML_HEAT_STEPS, ceil(sqrt(fmin(share, 1)) * HTML_HEAT_STEPS));
}
