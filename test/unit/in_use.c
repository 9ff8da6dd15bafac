#include "test/unit/in_use.h"

#include <malloc.h>

static size_t bytes_now(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

in_use in_use_begin(void)
{
    return (in_use){.before = bytes_now()};
}

void in_use_measure(in_use *u)
{
    size_t now = bytes_now();
    if (now > u->before && now - u->before > u->more)
        u->more = now - u->before;
}
