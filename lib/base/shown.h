/* How names are shown. Names in a profile, arguments of a program and names of files may hold anything. What
 * a terminal acts on, and what changes the order or the look of the text around it, is shown as an escape:
 * control characters (C0, DEL and C1), the controls of writing direction, characters without width, and bytes
 * that are not UTF-8. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads the character at `at`, which is before end. Returns its length in bytes, or 0 if it is not UTF-8. */
size_t nytp_utf8_read(const char *at, const char *end, uint32_t *character);

/* Returns whether the character is never shown as it is. */
bool nytp_is_shown_escaped(uint32_t character);

enum { NYTP_ESCAPE_ROOM = sizeof "\\x{10ffff}" };

/* Writes the escape of a character or byte: \0, \n, \r, \t, \x1b, \x{202e}. Returns its length. */
size_t nytp_shown_escape(char escape[NYTP_ESCAPE_ROOM], uint32_t character);

/* Returns how many bytes from `at` on are printable ASCII, which is shown as it is. */
size_t nytp_shown_plain(const char *at, const char *end);

/* Returns the length in bytes of the character at `at`, which is before end, and writes its escape. If the
 * character is shown as it is, escape becomes empty. A byte that is not UTF-8 is a character of its own. */
size_t nytp_shown_next(const char *at, const char *end, char escape[NYTP_ESCAPE_ROOM]);
