/* How -d knows the files that a program wrote before: by their names and by their first bytes. */
#pragma once

#include <stdbool.h>

/* Returns whether path is a regular file, and not a link, whose first 4,096 bytes contain text. */
bool nytp_file_mentions(const char *path, const char *text);

/* Returns whether a name has a number, a level of stock's reports and then this suffix at its end, such as
 * "Foo-pm-12-line.csv". */
bool nytp_is_level_name(const char *name, const char *suffix);
