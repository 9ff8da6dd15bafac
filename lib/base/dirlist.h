/* Lists of directories, as attributes of a profile have them: "/usr/share/perl5:/opt/a\:b". Colons separate
 * the directories. A backslash comes before a colon and a backslash, and "\n" stands for a newline, which
 * would end the attribute. */
#pragma once

#include "base/str.h"

/* Writes a directory as part of a list, without the colon. Needs 2 * length bytes. Returns the end. */
static inline char *nytp_dirlist_put(char *at, const char *directory, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const char c = directory[i];
        if (c == ':' || c == '\\' || c == '\n')
            *at++ = '\\';
        *at++ = (char)(c == '\n' ? 'n' : c);
    }
    return at;
}

/* Takes the first part off the list, as it is written. Returns false at the end. An empty part is no
 * directory, and is left out. */
static inline bool nytp_dirlist_next(nytp_str *list, nytp_str *part)
{
    do {
        if (list->length == 0)
            return false;
        size_t end = 0;
        while (end < list->length && list->bytes[end] != ':')
            end += list->bytes[end] == '\\' && end + 1 < list->length ? 2 : 1;
        *part = (nytp_str){list->bytes, end, list->utf8};
        const size_t after = end + (end < list->length);
        list->bytes += after;
        list->length -= after;
    } while (part->length == 0);
    return true;
}

/* Writes the directory that a part stands for, which needs no more bytes than the part. Returns the end. */
static inline char *nytp_dirlist_get(char *at, nytp_str part)
{
    for (size_t i = 0; i < part.length; i++) {
        const bool escaped = part.bytes[i] == '\\' && i + 1 < part.length;
        i += escaped;
        *at++ = (char)(escaped && part.bytes[i] == 'n' ? '\n' : part.bytes[i]);
    }
    return at;
}
