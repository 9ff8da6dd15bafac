#include "cli/options.h"

#include "cli/output.h"
#include "cli/say.h"
#include "model/grow.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

enum { INDENT = 2, HELP_COLUMN = 24, LINE_COLUMNS = 80, WIDE_COLUMNS = 100, HALF_COLUMNS = 50 };

static bool is_end(const nytp_option *row)
{
    return row->letter == 0 && row->name == NULL && row->group == NULL;
}

static bool is_shown(const nytp_option *row)
{
    return row->same_as == NULL && !row->hidden;
}

typedef struct printing {
    int line_columns; /* the longest line */
    bool halves;      /* short rows share a line */
    int column;       /* where the cursor is */
    int start;        /* where the current cell starts: 0 or HALF_COLUMNS */
} printing;

static void end_line(printing *p)
{
    putchar('\n');
    p->column = p->start = 0;
}

static void pad_to(printing *p, int column)
{
    printf("%*s", column - p->column, "");
    p->column = column;
}

/* Writes "-o, --output=FILE" to text. A row that stands alone and has no letter gets blanks in its place. */
static int write_forms(const nytp_option *row, bool alone, char *text, size_t size)
{
    const bool has_argument = row->argument != NULL && (alone || row->letter != 0);
    const char *argument = has_argument ? row->argument : "";
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

/* Writes the help of a row to text, with its words, its largest value and its default, which the target
 * holds. */
static void write_help(const nytp_option *row, char *text, size_t size)
{
    char names[256], most[32] = "";
    if (row->words != NULL) {
        nytp_option_list_words(row->words, (int)*row->word, names, sizeof names);
        snprintf(text, size, "%s: %s", row->help, names);
    } else if (row->percent != NULL && *row->percent != 0) {
        snprintf(text, size, "%s (default %g)", row->help, *row->percent);
    } else if (row->count != NULL && *row->count != 0) {
        if (row->most != 0)
            snprintf(most, sizeof most, ", at most %d", row->most);
        snprintf(text, size, "%s (default %u%s)", row->help, *row->count, most);
    } else if (row->count != NULL && row->most != 0) {
        snprintf(text, size, "%s (at most %d)", row->help, row->most);
    } else if (row->whole != NULL && *row->whole != 0) {
        snprintf(text, size, "%s (default %d)", row->help, *row->whole);
    } else {
        snprintf(text, size, "%s", row->help);
    }
}

/* Whether the row needs no more than half of a wide line. */
static bool fits_half(const nytp_option *row)
{
    char forms[128], help[512];
    if (is_end(row) || row->group != NULL || row->help == NULL)
        return false;
    write_help(row, help, sizeof help);
    return INDENT + write_forms(row, true, forms, sizeof forms) < HELP_COLUMN &&
           strlen(help) <= HALF_COLUMNS - HELP_COLUMN;
}

/* Breaks lines between words. */
static void print_words(printing *p, const char *text)
{
    const int first = p->column;
    while (*text != '\0') {
        int length = (int)strcspn(text, " ");
        if (p->column > first && p->column + 1 + length > p->line_columns) {
            end_line(p);
            pad_to(p, HELP_COLUMN);
        } else if (p->column > first) {
            pad_to(p, p->column + 1);
        }
        printf("%.*s", length, text);
        p->column += length;
        text += length + (text[length] == ' ');
    }
}

/* Prints on the line of the option if that has space. */
static void print_row_help(printing *p, const nytp_option *row)
{
    char help[512];
    write_help(row, help, sizeof help);
    if (p->column < p->start + HELP_COLUMN) {
        pad_to(p, p->start + HELP_COLUMN);
    } else if (p->column + INDENT + (int)strlen(help) <= p->line_columns) {
        pad_to(p, p->column + INDENT);
    } else {
        end_line(p);
        pad_to(p, HELP_COLUMN);
    }
    print_words(p, help);
}

/* A row without help shares the line, and the help, of the next row. Those without letters are names alone,
 * one space apart. */
static void print_row(printing *p, const nytp_option *row)
{
    char forms[128];
    const bool alone = p->column == p->start && row->help != NULL;
    const int between = p->column > p->start && row->letter == 0 ? 1 : INDENT;
    int length = write_forms(row, alone, forms, sizeof forms);
    if (p->column + between + length > p->line_columns)
        end_line(p);
    pad_to(p, p->column + between);
    p->column += printf("%s", forms);
    if (row->help == NULL)
        return;
    print_row_help(p, row);
    if (p->halves && alone && p->start == 0 && p->column < HALF_COLUMNS && fits_half(row) &&
        fits_half(row + 1)) {
        pad_to(p, p->start = HALF_COLUMNS);
        return;
    }
    end_line(p);
}

/* Prints the rows that are shown, or those of them that are apart. */
static void print_rows(const nytp_program *program, const nytp_option *table, bool apart)
{
    printing p = {.line_columns = program->wide_help ? WIDE_COLUMNS : LINE_COLUMNS,
                  .halves = program->wide_help};
    GArray *rows = g_array_new(TRUE, TRUE, sizeof(nytp_option));
    for (const nytp_option *row = table; !is_end(row); row++)
        if (is_shown(row) && row->apart == apart)
            g_array_append_vals(rows, row, 1);
    NYTP_EACH(const nytp_option, row, rows) {
        if (row->group != NULL)
            printf("%s%s\n", program->wide_help ? "" : "\n", row->group);
        else
            print_row(&p, row);
    }
    g_array_free(rows, TRUE);
}

static void print_operands(const nytp_program *program)
{
    if (program->operands == NYTP_OTHER_OPERANDS) {
        if (program->operands_about != NULL)
            printf("\n%s", program->operands_about);
        return;
    }
    printf("%sFILE is a profile (default %s, - for standard input)%s.\n", program->wide_help ? "" : "\n",
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
    if (table->group == NULL && !program->wide_help)
        putchar('\n');
    print_rows(program, table, false);
    puts("  -h, --help, --version");
    if (program->notes != NULL)
        printf("\n%s", program->notes);
    return nytp_flush_stdout();
}

int nytp_help_print_apart(const nytp_program *program, const nytp_option *table)
{
    fputs(program->apart_about, stdout);
    print_rows(program, table, true);
    return nytp_flush_stdout();
}

int nytp_help_version(void)
{
    printf("%s %s\n", nytp_name(), NYTP_VERSION_STRING);
    return nytp_flush_stdout();
}

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
