#include "events/numbers.h"

#include "base/ticks.h"

#include <glib.h>
#include <string.h>

bool nytp_numbers_read(nytp_str text, double *numbers, int count)
{
    enum { LONGEST = 96 };
    char copy[LONGEST], *at = copy;
    bool are_read = text.length > 0 && text.length < LONGEST;
    if (!are_read)
        return false;
    memcpy(copy, text.bytes, text.length);
    copy[text.length] = '\0';
    for (int i = 0; i < count; i++) {
        numbers[i] = g_ascii_strtod(at, &at);
        are_read &= nytp_is_ticks(numbers[i]) && numbers[i] >= 0;
    }
    return are_read && *at == '\0';
}
