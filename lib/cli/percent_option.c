#include "cli/percent_option.h"

#include <stdlib.h>
#include <string.h>

char *nytp_percent_of(const char *argument, double *percent)
{
    const double most = 1e6;
    char *end;
    *percent = strtod(argument, &end);
    end += *end == '%';
    return end > argument && *end == '\0' && *percent >= 0 && *percent <= most
               ? NULL
               : strdup("expected a percentage, such as 5%");
}
