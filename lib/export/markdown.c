#include "export/markdown.h"

#include <glib.h>
#include <string.h>

static void write_escaped(const char *text, const char *escaped, FILE *out)
{
    for (; *text != '\0'; text++) {
        if (strchr(escaped, *text) != NULL)
            fputc('\\', out);
        fputc(*text, out);
    }
}

void nytp_markdown_cell(const char *text, FILE *out)
{
    write_escaped(text, "|", out);
}

void nytp_markdown_text(const char *text, FILE *out)
{
    write_escaped(text, "\\`*_[]<>#|~&", out);
}

/* More backticks than are in a row within a span end it. It loses a blank at each end if it has both, so it
 * gets two where it needs them: a backtick at an end would belong to the quotes. */
void nytp_markdown_code(const char *name, bool in_cell, FILE *out)
{
    size_t longest = 0, run = 0;
    for (const char *at = name; *at != '\0'; at++) {
        run = *at == '`' ? run + 1 : 0;
        longest = MAX(longest, run);
    }
    const size_t length = strlen(name);
    const bool has_backtick = length > 0 && (name[0] == '`' || name[length - 1] == '`');
    const bool has_blanks = length > 0 && name[0] == ' ' && name[length - 1] == ' ';
    const char *pad = has_backtick || has_blanks ? " " : "";
    g_autofree char *quotes = g_strnfill(longest + 1, '`');
    fprintf(out, "%s%s", quotes, pad);
    write_escaped(name, in_cell ? "|" : "", out);
    fprintf(out, "%s%s", pad, quotes);
}
