#include "base/collector.h"

#include "base/str.h"

#include <stdio.h>

static void set_text(nytp_collector *collector, const char *before, nytp_str value)
{
    const int length =
        value.length < sizeof collector->text ? (int)value.length : (int)sizeof collector->text;
    snprintf(collector->text, sizeof collector->text, "%s%.*s", before, length,
             value.length > 0 ? value.bytes : "");
}

/* Only the stock collectors do not name themselves. They say which version they are. */
void nytp_collector_add(nytp_collector *collector, nytp_str key, nytp_str value)
{
    if (nytp_str_is(key, "collector")) {
        set_text(collector, "", value);
        collector->is_named = true;
    } else if (!collector->is_named && nytp_str_is(key, "xs_version")) {
        set_text(collector, "stock's Devel::NYTProf ", value);
    } else if (nytp_str_is(key, "dprof_XS_VERSION")) {
        set_text(collector, "Devel::", value);
    }
}
