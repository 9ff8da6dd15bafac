#include "cells.h"

#include <string.h>

static void begin_cell(csv_cells *c)
{
    if (c->in_row)
        fputc(',', c->out);
    c->in_row = true;
}

void csv_text(csv_cells *c, const char *text)
{
    begin_cell(c);
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, c->out);
        return;
    }
    fputc('"', c->out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', c->out);
        fputc(*text, c->out);
    }
    fputc('"', c->out);
}

void csv_count(csv_cells *c, uint64_t count)
{
    begin_cell(c);
    fprintf(c->out, "%llu", (unsigned long long)count);
}

void csv_seconds(csv_cells *c, double seconds)
{
    begin_cell(c);
    fprintf(c->out, "%.9f", seconds);
}

void csv_empty(csv_cells *c)
{
    begin_cell(c);
}

void csv_end_row(csv_cells *c)
{
    fputs("\r\n", c->out);
    c->in_row = false;
}

void csv_head(csv_cells *c, const char *names)
{
    fputs(names, c->out);
    csv_end_row(c);
}
