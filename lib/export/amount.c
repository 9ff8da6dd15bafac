#include "export/amount.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

nytp_amount nytp_amount_whole(uint64_t number)
{
    char digits[NYTP_AMOUNT_MAX];
    nytp_amount a = {""};
    const int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    char *to = a.text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    return a;
}

nytp_amount nytp_amount_count(double value)
{
    const nytp_amount size = nytp_amount_whole((uint64_t)fmin(fabs(round(value)), 1e18));
    nytp_amount a;
    snprintf(a.text, sizeof a.text, "%s%.*s", round(value) < 0 ? "-" : "", NYTP_AMOUNT_MAX - 2, size.text);
    return a;
}

nytp_amount nytp_amount_of(double value, const char *thing)
{
    nytp_amount a = nytp_amount_count(value);
    const size_t length = strlen(a.text);
    snprintf(a.text + length, sizeof a.text - length, " %s%s", thing, round(value) == 1 ? "" : "s");
    return a;
}

nytp_amount nytp_amount_time(double seconds)
{
    static const struct {
        double per_s;
        const char *name;
    } units[] = {{1, "s"}, {1e3, "ms"}, {1e6, "us"}, {1e9, "ns"}};
    nytp_amount a = {"0"};
    if (seconds == 0)
        return a;
    size_t u = 0;
    while (u + 1 < sizeof units / sizeof *units && fabs(seconds) * units[u].per_s < 0.9995)
        u++;
    const double number = seconds * units[u].per_s, size = fabs(number);
    snprintf(a.text, sizeof a.text, "%.*f %s",
             size < 9.995   ? 2
             : size < 99.95 ? 1
                            : 0,
             number, units[u].name);
    return a;
}
