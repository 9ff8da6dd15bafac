/* SQL without its literals. Knows nothing of perl. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool begins_name(char c)
{
    return (unsigned)((c | 0x20) - 'a') < 26 || c == '_' || (unsigned char)c >= 0x80;
}

static inline bool is_in_name(char c)
{
    return begins_name(c) || is_digit(c) || c == '$';
}

static inline bool is_blank(char c)
{
    return (unsigned char)c <= ' ' || c == 0x7F;
}

/* What servers disagree about. Where the text of an unknown one could be read in two ways, and a wrong guess
 * would show a literal, the result ends with "...". */
typedef enum prof_sql_dialect {
    PROF_SQL_UNKNOWN,  /* "..." is a string, since it may be one */
    PROF_SQL_STANDARD, /* "..." is a name, [...] are subscripts: PostgreSQL, Oracle */
    PROF_SQL_SQLITE,   /* "..." and [...] are names */
    PROF_SQL_MYSQL     /* "..." is a string, and "#" begins a comment */
} prof_sql_dialect;

enum { PROF_SQL_MAX = 8000 }; /* at most two bytes for each that is read, and some */

/* Writes a statement of at most PROF_LABEL_RAW_MAX bytes to `to`, which has PROF_SQL_MAX bytes, with "?" in
 * the place of each literal. Lists of literals become "?+", and equal rows or terms of OR one; comments, and
 * blanks that do not separate words, are left out. Returns the length. To normalise
 * a result again changes nothing, unless there is a "[". */
size_t prof_sql_normalise(const char *sql, size_t length, prof_sql_dialect dialect, char *to);
