#include "recorder.h"

#include <string.h>

void record_stacks_clear(record_stacks *s)
{
    for (int n = 0; n < RECORD_STACKS; n++)
        sampler_stack_clear(&s->all[n]);
}

static bool is_last(const record_stacks *s, int which)
{
    for (int state = 0; state < SAMPLER_STATES; state++)
        if (s->last[state] == which + 1)
            return true;
    return false;
}

/* There is one more than there are states. */
sampler_stack *record_stacks_next(record_stacks *s)
{
    s->newest = 0;
    while (is_last(s, s->newest))
        s->newest++;
    return &s->all[s->newest];
}

const sampler_stack *record_stacks_newest(const record_stacks *s)
{
    return &s->all[s->newest];
}

void record_stacks_keep(record_stacks *s, int state)
{
    s->last[state] = s->newest + 1;
}

const sampler_stack *record_stacks_last(const record_stacks *s, int state)
{
    return s->last[state] > 0 ? &s->all[s->last[state] - 1] : NULL;
}

void record_stacks_forget(record_stacks *s)
{
    memset(s->last, 0, sizeof s->last);
}
