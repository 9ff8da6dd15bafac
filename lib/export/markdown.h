/* Text in Markdown, as GitHub, GitLab and chats read it. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Writes a cell of a table: a bar would end it. Errors stick to out, as do those of the others. */
void nytp_markdown_cell(const char *text, FILE *out);

/* Writes a name as a span of code, since it may have what Markdown takes for markup. In a cell of a table a bar
 * in it gets a backslash, which Markdown does not show there. */
void nytp_markdown_code(const char *name, bool in_cell, FILE *out);

/* Writes a sentence, with a backslash before what Markdown would take for markup. */
void nytp_markdown_text(const char *text, FILE *out);
