#include "cli/help.h"

#include "cli/option_value.h"
#include "cli/output.h"
#include "cli/say.h"

#include <stdio.h>
#include <string.h>

enum { INDENT = 2, HELP_COLUMN = 24, LINE_COLUMNS = 80 };

static bool is_end(const nytp_option *row)
{
    return row->letter == 0 && row->name == NULL && row->group == NULL;
}

static bool is_shown(const nytp_option *row)
{
    return row->same_as == NULL && !row->hidden;
}

/* ---- --help ---- */

/* "-o, --output=FILE", and room for the letter if there is none and the row stands alone. */
static int write_forms(const nytp_option *row, bool alone, char *text, size_t size)
{
    const char *argument = row->argument != NULL ? row->argument : "";
    char letter[8] = "";
    if (row->letter != 0)
        snprintf(letter, sizeof letter, "-%c", row->letter);
    if (row->name == NULL)
        return snprintf(text, size, "%s%s%s", letter, *argument != '\0' ? " " : "", argument);
    const char *before = row->letter != 0 ? ", " : alone ? "    " : "";
    const char *open = row->optional ? "[=" : *argument != '\0' ? "=" : "";
    return snprintf(text, size, "%s%s--%s%s%s%s", letter, before, row->name, open, argument,
                    row->optional ? "]" : "");
}

/* Breaks the line between words. column is where the cursor is; returns where it is then. */
static int print_words(const char *text, int column)
{
    while (*text != '\0') {
        int length = (int)strcspn(text, " ");
        if (column + 1 + length > LINE_COLUMNS) {
            printf("\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
        } else if (column > HELP_COLUMN) {
            putchar(' ');
            column++;
        }
        printf("%.*s", length, text);
        column += length;
        text += length;
        text += *text == ' ';
    }
    return column;
}

static void print_help(const nytp_option *row, int column)
{
    char names[256], full[512];
    if (column >= HELP_COLUMN)
        printf("\n%*s", HELP_COLUMN, "");
    else
        printf("%*s", HELP_COLUMN - column, "");
    snprintf(full, sizeof full, "%s", row->help);
    if (row->words != NULL) {
        nytp_option_list_words(row->words, (int)*row->word, names, sizeof names);
        snprintf(full, sizeof full, "%s: %s", row->help, names);
    }
    print_words(full, HELP_COLUMN);
    putchar('\n');
}

/* Options without a help of their own share a line with the next one. */
static void print_rows(const nytp_option *table)
{
    int column = 0;
    for (const nytp_option *row = table; !is_end(row); row++) {
        char forms[128];
        if (row->group != NULL)
            printf("\n%s\n", row->group);
        if (row->group != NULL || !is_shown(row))
            continue;
        int length = write_forms(row, column == 0 && row->help != NULL, forms, sizeof forms);
        if (column + INDENT + length > LINE_COLUMNS) {
            putchar('\n');
            column = 0;
        }
        printf("%*s%s", INDENT, "", forms);
        column += INDENT + length;
        if (row->help != NULL) {
            print_help(row, column);
            column = 0;
        }
    }
    if (column > 0)
        putchar('\n');
}

static void print_operands(const nytp_program *program)
{
    if (program->operands == NYTP_OTHER_OPERANDS) {
        if (program->operands_about != NULL)
            printf("\n%s", program->operands_about);
        return;
    }
    printf("\nFILE is a profile (default %s, - for standard input)%s.\n",
           program->default_file != NULL ? program->default_file : "nytprof.out",
           program->operands == NYTP_PROFILES ? "; several add up" : "");
}

int nytp_help_print(const nytp_program *program, const nytp_option *table)
{
    static const char *const usage[] = {[NYTP_ONE_PROFILE] = "[FILE]", [NYTP_PROFILES] = "[FILE ...]"};
    printf("usage: %s [OPTION ...] %s\n%s\n%s", nytp_name(),
           program->operands == NYTP_OTHER_OPERANDS ? program->operands_usage : usage[program->operands],
           program->about, program->examples);
    print_operands(program);
    if (table->group == NULL)
        putchar('\n');
    print_rows(table);
    puts("  -h, --help, --version");
    if (program->notes != NULL)
        printf("\n%s", program->notes);
    return nytp_flush_stdout();
}

int nytp_help_version(void)
{
    printf("%s %s\n", nytp_name(), NYTP_VERSION_STRING);
    return nytp_flush_stdout();
}

/* ---- completions ---- */

static void print_values(const nytp_option *row)
{
    putchar('\t');
    for (size_t i = 0; row->words != NULL && row->words[i] != NULL; i++)
        printf("%s%s", i > 0 ? " " : "", row->words[i]);
    if (row->words == NULL && row->argument != NULL)
        fputs(row->argument, stdout);
    putchar('\n');
}

int nytp_help_values(const nytp_option *table)
{
    for (const nytp_option *row = table; !is_end(row); row++) {
        if (!is_shown(row) || row->group != NULL)
            continue;
        const char *after = row->argument == NULL ? "" : row->optional ? "[=]" : "=";
        if (row->letter != 0) {
            printf("-%c%s", row->letter, row->optional ? "" : after);
            print_values(row);
        }
        if (row->name != NULL) {
            printf("--%s%s", row->name, after);
            print_values(row);
        }
    }
    fputs("-h\t\n--help\t\n--version\t\n", stdout);
    return nytp_flush_stdout();
}
