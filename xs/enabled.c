#include "enabled.h"

#include "hot.h"

void prof_enabled_set(prof *p, bool on)
{
    p->enabled.any = on;
    p->enabled.stmts = on && p->options.stmts && !p->options.use_db_sub;
    p->enabled.subs = on && p->options.subs;
    prof_probe_note_unusual(p);
    if (!on)
        p->probe.checkpoint_at = 0;
}
