#include "findings/finder.h"

#include "export/amount.h"
#include "model/grow.h"

#include <string.h>

/* RSS is bytes, whatever the profile measures. */
static nytp_amount bytes_text(double bytes)
{
    nytp_measure measure = nytp_measure_new();
    nytp_measure_note(&measure, (nytp_str){"unit", strlen("unit"), true},
                      (nytp_str){"bytes", strlen("bytes"), true});
    return nytp_amount_measured(&measure, bytes);
}

static void report(nytp_finder *f, const nytp_span_growth *grown, nytp_str name)
{
    const double bytes = grown->bytes_each * (double)grown->count, share = bytes / grown->most_bytes;
    const uint32_t number = nytp_found_number(f, name);
    nytp_label label;
    if (number == UINT32_MAX || !nytp_sub_label(f->profile, name, &label))
        return;
    g_autofree char *span = nytp_found_name(f, label.text);
    g_autofree char *what =
        g_strdup_printf("%s leaves %s each time: %s in %s", span, bytes_text(grown->bytes_each).text,
                        bytes_text(bytes).text, nytp_amount_of((double)grown->count, "time").text);
    g_autofree char *of_whole =
        g_strdup_printf(", %s of the RSS of process %u", nytp_amount_percent(share).text, grown->pid);
    nytp_find_growing(f, number, bytes, share, what, of_whole);
}

void nytp_find_growth(nytp_finder *f, nytp_growth *growth)
{
    const GArray *all = nytp_growth_get(growth);
    NYTP_EACH(const nytp_span_growth, grown, all)
        report(f, grown, nytp_growth_name(growth, grown->name));
}
