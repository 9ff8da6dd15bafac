/* Labels as texts: one short line that every reader can show. Knows nothing of perl. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PROF_LABEL_RAW_MAX = 4000,   /* bytes of a text that are read */
    PROF_LABEL_CLEAN_MAX = 8000, /* what cleaning can make of them */
    PROF_LABEL_WHOLE_MAX = 1000, /* bytes that are kept of the whole text of a label that is cut */
    PROF_LABEL_LEAST = 20,
    PROF_LABEL_MOST = 190 /* so that a usual SUB_RETURN fits into PROF_EVENT_MAX */
};

/* Returns whether the bytes of a text that are read are UTF-8, as paths and SQL often are that perl has as
 * bytes. The last character may be cut off. */
bool prof_text_is_utf8(const char *text, size_t length);

/* Writes a text to `to`, which has PROF_LABEL_CLEAN_MAX bytes, as valid UTF-8 on one line: control characters
 * become blanks, runs of blanks one blank, "::" a colon and ";" a comma, because readers take these for the
 * end of a package and of a frame. "<" does not begin a tag. utf8: the text is UTF-8, otherwise Latin-1.
 * Reads PROF_LABEL_RAW_MAX bytes. Returns the length. */
size_t prof_label_clean(const char *from, size_t length, bool utf8, char *to);

/* A label, made of a clean text. */
typedef struct prof_label {
    char bytes[PROF_LABEL_MOST];
    size_t length;
    bool is_cut;
    uint32_t hash;       /* of the whole text, which the label of a text that was cut ends with */
    size_t whole_length; /* bytes of the clean text to keep, up to PROF_LABEL_WHOLE_MAX */
} prof_label;

/* Cuts a clean text to at most `most` bytes. SQL first loses its list of columns. */
void prof_label_cut(const char *clean, size_t length, size_t most, bool is_sql, prof_label *label);

/* Writes the driver, the host, the port and the name of the database of a data source name of DBI to `to`,
 * which has as many bytes as are read, at most PROF_LABEL_RAW_MAX: "dbi:Pg:dbname=shop;host=db1". Everything
 * else is left out, and so is all that could belong to the value of an unknown key. Returns the length; 0: it
 * is no such name. */
size_t prof_dsn_normalise(const char *dsn, size_t length, char *to);

/* Writes the host and the path of a URL to `to`, which has as many bytes as are read, at most
 * PROF_LABEL_RAW_MAX: without scheme, user, query and fragment, and with "*" for each segment of the path
 * that may be a number, a key or a text: 42, 0af3-09bc, a@b, x%20y, and whatever has more than 40 bytes.
 * Returns the length. */
size_t prof_url_normalise(const char *url, size_t length, char *to);

enum { PROF_COMMAND_MAX = 160 };

/* Writes the name of the program to `to`, which has PROF_COMMAND_MAX bytes, and the next word if that looks
 * like the name of a subcommand or a file, as in "git status": options may have passwords, so nothing follows
 * them. Assignments before the program are left out. command: as for a shell; next: the next word, if it is
 * known apart, or NULL. Returns the length. */
size_t prof_command_normalise(const char *command, size_t length, const char *next, size_t next_length,
                              char *to);
