#include "model/states.h"

#include "base/str.h"
#include "model/profile.h"

#include <string.h>

nytp_states nytp_profile_states(const nytp_profile *profile)
{
    return profile->states;
}

/* Returns the number before the next blank, in seconds, and goes beyond that. */
static double next_s(nytp_str *rest)
{
    const char *blank = memchr(rest->bytes, ' ', rest->length);
    const size_t length = blank != NULL ? (size_t)(blank - rest->bytes) : rest->length;
    const double ns = nytp_str_number((nytp_str){rest->bytes, length, false});
    const size_t used = blank != NULL ? length + 1 : length;
    rest->bytes += used;
    rest->length -= used;
    return ns >= 0 && ns < 1e18 ? ns / 1e9 : 0;
}

nytp_states nytp_states_read(nytp_str value)
{
    nytp_states states;
    states.run_s = next_s(&value);
    states.wait_s = next_s(&value);
    states.sleep_s = next_s(&value);
    return states;
}
