#include "html_text.h"

#include "nytprof.h"

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

html_unit html_unit_for(double largest_s)
{
    if (largest_s >= 1)
        return (html_unit){"s", 1, 3};
    if (largest_s >= 1e-3)
        return (html_unit){"ms", 1e3, largest_s >= 0.1 ? 1 : 2};
    return (html_unit){"µs", 1e6, 1};
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

void html_time_put(FILE *out, double seconds)
{
    html_unit unit = html_unit_for(fabs(seconds));
    double value = seconds * unit.per_s;
    fprintf(out, "%.*f %s", fabs(value) >= 100 ? 0 : fabs(value) >= 10 ? 1 : 2, value, unit.name);
}

int html_heat_of(double share)
{
    const double least = 0.005;
    if (!(share >= least))
        return 0;
    return (int)fmin(HTML_HEAT_STEPS, ceil(sqrt(fmin(share, 1)) * HTML_HEAT_STEPS));
}
