#include "base/memory_env.h"

#include "base/error.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

enum { MIB = 1 << 20, LEAST_MIB = 16, MOST_MIB = 1 << 30 };

bool nytp_memory_from_env(uint64_t *bytes, nytp_error *err)
{
    const char *value = getenv("NYTP_MEMORY_MIB");
    *bytes = 0;
    if (value == NULL || value[0] == '\0')
        return true;
    char *end;
    errno = 0;
    unsigned long long mib = strtoull(value, &end, 10);
    if (isdigit((unsigned char)value[0]) && *end == '\0' && errno == 0 && mib >= LEAST_MIB &&
        mib <= MOST_MIB) {
        *bytes = mib * MIB;
        return true;
    }
    nytp_fail(err, NYTP_ERR_UNSUPPORTED, "NYTP_MEMORY_MIB=%.64s: expected a whole number from %d to %d",
              value, LEAST_MIB, MOST_MIB);
    return false;
}
