/* Data source names of DBI without what is private. Knows nothing of perl. */
#pragma once

#include <stddef.h>

/* Writes the driver, the host, the port and the name of the database to `to`, which has as many bytes as are
 * read, at most PROF_LABEL_RAW_MAX: "dbi:Pg:dbname=shop;host=db1". Everything else is left out, and so is all
 * that could belong to the value of an unknown key. Returns the length; 0: it is no such name. */
size_t prof_dsn_normalise(const char *dsn, size_t length, char *to);
