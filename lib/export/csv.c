#include "export/csv.h"

#include <stdbool.h>
#include <string.h>

static const char words[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ ./-";

/* Whether a spreadsheet would take the text for a formula, which may start programs and fetch addresses. A
 * word after a sign is none that does anything, and -e is the usual name of a file. */
static bool is_formula(const char *text)
{
    const bool is_signed = *text == '-' || *text == '+';
    return *text == '=' || *text == '@' || (is_signed && text[1 + strspn(text + 1, words)] != '\0');
}

void nytp_csv_cell(const char *text, FILE *out)
{
    const char *const guard = is_formula(text) ? "'" : "";
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fprintf(out, "%s%s", guard, text);
        return;
    }
    fprintf(out, "\"%s", guard);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}
