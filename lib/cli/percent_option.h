/* The argument of an option that is a limit. */
#pragma once

/* Sets *percent to "5%" or "5", which may be more than 100. Returns NULL, or what is wrong with the argument,
 * for nytp_option.call. */
char *nytp_percent_of(const char *argument, double *percent);
