#include "sender.h"

#include <glib.h>

#define SECOND_NS INT64_C(1000000000)
#define MOST_NS   (60 * SECOND_NS)
/* After that, a profile is too old anyway. */
enum { MOST_ASKED_S = 3600 };

void record_pace_done(record_pace *p)
{
    *p = (record_pace){0};
}

void record_pace_failed(record_pace *p, int64_t now_ns, int64_t retry_after_s)
{
    p->asked_ns = retry_after_s > 0 ? now_ns + MIN(retry_after_s, MOST_ASKED_S) * SECOND_NS : 0;
    if (p->asked_ns == 0)
        p->pause_ns = p->pause_ns == 0 ? SECOND_NS : MIN(2 * p->pause_ns, MOST_NS);
    p->at_ns = p->asked_ns != 0 ? p->asked_ns : now_ns + p->pause_ns;
}

void record_pace_hurry(record_pace *p, int64_t now_ns)
{
    p->pause_ns = 0;
    p->at_ns = p->asked_ns > now_ns ? p->asked_ns : 0;
}
