#include "calls/pauses.h"

#include "base/ticks.h"

bool nytp_pauses_statement(nytp_pauses *pauses, double statement_ticks, double call_ticks)
{
    const bool was_outside = pauses->is_outside;
    if (nytp_is_ticks(statement_ticks))
        pauses->statement_ticks += statement_ticks;
    if (was_outside)
        pauses->ticks = fmax(pauses->ticks, pauses->statement_ticks - call_ticks);
    pauses->is_outside = false;
    return was_outside;
}
