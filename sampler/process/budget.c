#include "sampler/process/remote.h"

#include <errno.h>

static int read_pieces(void *context, const sampler_piece *pieces, int count)
{
    sampler_budget *b = context;
    int most = 0;
    for (; most < count && b->pieces_left > 0 && pieces[most].size <= b->bytes_left; most++) {
        b->pieces_left--;
        b->bytes_left -= pieces[most].size;
    }
    b->exceeded = b->exceeded || most < count;
    if (most == 0 && count > 0)
        errno = EOVERFLOW;
    return most > 0 ? b->memory.read(b->memory.context, pieces, most) : 0;
}

void sampler_budget_renew(sampler_budget *budget, uint64_t pieces, uint64_t bytes)
{
    budget->pieces_left = pieces;
    budget->bytes_left = bytes;
    budget->exceeded = false;
}

sampler_memory sampler_budget_memory(sampler_budget *budget)
{
    return (sampler_memory){read_pieces, budget};
}
