#include "findings/finder.h"

#include "export/amount.h"
#include "model/grow.h"

#include <math.h>

/* "4 values", or "1.5 values" if some leave more than others. */
static char *each_text(double each)
{
    const double least_apart = 0.05;
    if (fabs(each - round(each)) < least_apart)
        return g_strdup(nytp_amount_of(each, "value").text);
    return g_strdup_printf("%.1f values", each);
}

static void report(nytp_finder *f, const nytp_span_growth *grown, nytp_str name)
{
    const double share = grown->values / grown->most_values;
    const uint32_t number = nytp_found_number(f, name);
    nytp_label label;
    if (number == UINT32_MAX || !nytp_sub_label(f->profile, name, &label))
        return;
    g_autofree char *span = nytp_found_name(f, label.text);
    g_autofree char *each = each_text(grown->values / (double)grown->count);
    g_autofree char *what =
        g_strdup_printf("leaves %s each time: %s in %s", each, nytp_amount_count(grown->values).text,
                        nytp_amount_of((double)grown->count, "time").text);
    nytp_find_growing(f, number, grown->values, share, grown->pid, span, what);
}

void nytp_find_growth(nytp_finder *f, nytp_growth *growth)
{
    const GArray *all = nytp_growth_get(growth);
    NYTP_EACH(const nytp_span_growth, grown, all)
        report(f, grown, nytp_growth_name(growth, grown->name));
}
