#include "export/csv.h"

#include <string.h>

static const char words[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ ./-";

static void begin_cell(nytp_csv *c)
{
    if (c->in_row)
        fputc(',', c->out);
    c->in_row = true;
}

/* Whether a spreadsheet would take the text for a formula, which may start programs and fetch addresses. A
 * word after a sign is none that does anything, and -e is the usual name of a file. */
static bool is_formula(const char *text)
{
    const bool is_signed = *text == '-' || *text == '+';
    return *text == '=' || *text == '@' || (is_signed && text[1 + strspn(text + 1, words)] != '\0');
}

void nytp_csv_text(nytp_csv *c, const char *text)
{
    begin_cell(c);
    const char *const guard = is_formula(text) ? "'" : "";
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fprintf(c->out, "%s%s", guard, text);
        return;
    }
    fprintf(c->out, "\"%s", guard);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', c->out);
        fputc(*text, c->out);
    }
    fputc('"', c->out);
}

void nytp_csv_count(nytp_csv *c, uint64_t count)
{
    begin_cell(c);
    fprintf(c->out, "%llu", (unsigned long long)count);
}

void nytp_csv_change(nytp_csv *c, int64_t change)
{
    begin_cell(c);
    fprintf(c->out, "%lld", (long long)change);
}

void nytp_csv_amount(nytp_csv *c, const nytp_measure *measure, double amount)
{
    begin_cell(c);
    fprintf(c->out, "%.*f", nytp_measure_is_time(measure) ? 9 : 0, amount);
}

void nytp_csv_empty(nytp_csv *c)
{
    begin_cell(c);
}

void nytp_csv_end_row(nytp_csv *c)
{
    fputs("\r\n", c->out);
    c->in_row = false;
}

void nytp_csv_head(nytp_csv *c, const char *names)
{
    fputs(names, c->out);
    nytp_csv_end_row(c);
}
