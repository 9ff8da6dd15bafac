/* Text in Markdown, as GitHub, GitLab and chats read it. */
#pragma once

#include <stdio.h>

/* Writes a cell of a table: a bar would end it. Errors stick to out, as do those of the others. */
void nytp_markdown_cell(const char *text, FILE *out);

/* Writes a name as a span of code, since it may have what Markdown takes for markup. */
void nytp_markdown_code(const char *name, FILE *out);

/* The same in a cell of a table, where a bar needs a backslash that would be shown elsewhere. */
void nytp_markdown_code_cell(const char *name, FILE *out);

/* Writes a sentence, with a backslash before what Markdown would take for markup. */
void nytp_markdown_text(const char *text, FILE *out);
