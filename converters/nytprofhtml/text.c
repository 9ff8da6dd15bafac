#include "text.h"

#include "nytprof-model.h"

#include <math.h>
#include <string.h>

char *html_text_clean(const char *text)
{
    return nytp_name_clean((nytp_str){text, strlen(text), false});
}

void html_text_put(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '&': fputs("&amp;", out); break;
        case '"': fputs("&quot;", out); break;
        case '\'': fputs("&#39;", out); break;
        default: fputc(*text, out);
        }
    }
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

void html_unit_put(FILE *out, const html_unit *unit, double seconds)
{
    int decimals = unit->decimals;
    if (unit->step_s > 0) {
        seconds = round(seconds / unit->step_s) * unit->step_s;
        decimals = (int)fmin(decimals, fmax(0, round(-log10(unit->step_s * unit->per_s))));
    }
    fprintf(out, "%.*f", decimals, seconds * unit->per_s);
}

void html_count_put(FILE *out, uint64_t count)
{
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            fputc(',', out);
        fputc(digits[i], out);
    }
}

void html_time_put(FILE *out, double seconds, double step_s)
{
    html_unit unit = html_unit_for(fabs(seconds), step_s);
    double value = fabs(seconds * unit.per_s);
    unit.decimals = value >= 100 ? 0 : value >= 10 ? 1 : 2;
    html_unit_put(out, &unit, seconds);
    fprintf(out, " %s", unit.name);
}

int html_heat_of(double share)
{
    const double least = 0.005;
    if (!(share >= least))
        return 0;
    return (int)fmin(HTML_HEAT_STEPS, ceil(sqrt(fmin(share, 1)) * HTML_HEAT_STEPS));
}
