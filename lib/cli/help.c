#include "cli/options.h"

#include "cli/output.h"
#include "cli/say.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { INDENT = 2, HELP_COLUMN = 24, LINE_COLUMNS = 80 };

/* Returns whether nothing that is shown follows. */
static bool is_end(const nytp_option *row)
{
    return row->hides || (row->letter == 0 && row->name == NULL && row->group == NULL);
}

static void end_line(int *column)
{
    putchar('\n');
    *column = 0;
}

static void pad_to(int *column, int to)
{
    printf("%*s", to - *column, "");
    *column = to;
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
    const double standard = row->percent != NULL ? *row->percent
                            : row->min != NULL   ? row->min->percent
                            : row->count != NULL ? *row->count
                            : row->whole != NULL ? (double)*row->whole
                                                 : 0;
    const bool has_most = row->count != NULL && row->most != 0;
    char names[256];
    if (row->words != NULL) {
        nytp_option_list_words(row->words, (int)*row->word, names, sizeof names);
        snprintf(text, size, "%s: %s", row->help, names);
    } else if (has_most && standard != 0) {
        snprintf(text, size, "%s (default %.10g, at most %d)", row->help, standard, row->most);
    } else if (has_most) {
        snprintf(text, size, "%s (at most %d)", row->help, row->most);
    } else if (standard != 0) {
        snprintf(text, size, "%s (default %.10g)", row->help, standard);
    } else {
        snprintf(text, size, "%s", row->help);
    }
}

/* Breaks lines between words. column is where the cursor is, here and below. */
static void print_words(int *column, const char *text)
{
    const int first = *column;
    while (*text != '\0') {
        const int length = (int)strcspn(text, " ");
        if (*column > first && *column + 1 + length > LINE_COLUMNS) {
            end_line(column);
            pad_to(column, HELP_COLUMN);
        } else if (*column > first) {
            pad_to(column, *column + 1);
        }
        *column += printf("%.*s", length, text);
        text += length + (text[length] == ' ');
    }
}

/* Prints on the line of the option if that has space. */
static void print_row_help(int *column, const nytp_option *row)
{
    char help[512];
    write_help(row, help, sizeof help);
    const bool has_space = *column + INDENT + (int)strlen(help) <= LINE_COLUMNS;
    if (*column >= HELP_COLUMN && !has_space)
        end_line(column);
    pad_to(column, MAX(HELP_COLUMN, *column + (*column > 0 ? INDENT : 0)));
    print_words(column, help);
    end_line(column);
}

/* A row without help shares the line, and the help, of the next row. Those without letters are names alone,
 * one space apart. */
static void print_row(int *column, const nytp_option *row)
{
    char forms[128];
    const int between = *column > 0 && row->letter == 0 ? 1 : INDENT;
    const int length = write_forms(row, *column == 0 && row->help != NULL, forms, sizeof forms);
    if (*column + between + length > LINE_COLUMNS)
        end_line(column);
    pad_to(column, *column + between);
    *column += printf("%s", forms);
    if (row->help != NULL)
        print_row_help(column, row);
}

static void print_rows(const nytp_option *row)
{
    int column = 0;
    for (bool goes_on = true; goes_on && !is_end(row); row++) {
        if (row->group != NULL)
            puts(row->group);
        else if (row->same_as == NULL)
            print_row(&column, row);
        goes_on = !row->lists_rest;
    }
}

const char *nytp_default_profile(void)
{
    static const char here[] = "nytprof.out", of_run[] = "nytprof/nytprof.out", of_dprof[] = "tmon.out";
    struct stat at_here, at_run;
    const bool is_here = stat(here, &at_here) == 0, is_run = stat(of_run, &at_run) == 0;
    if (is_run && (!is_here || at_run.st_mtime > at_here.st_mtime))
        return of_run;
    return is_here || access(of_dprof, F_OK) != 0 ? here : of_dprof;
}

static void print_operands(const nytp_program *program)
{
    if (program->operands == NYTP_OTHER_OPERANDS) {
        if (program->operands_about != NULL)
            fputs(program->operands_about, stdout);
        return;
    }
    printf("FILE is a profile (default %s, - for stdin)%s.\n", nytp_default_profile(),
           program->operands == NYTP_PROFILES ? "; several add up" : "");
}

int nytp_help_print(const nytp_program *program, const nytp_option *table)
{
    static const char *const usage[] = {[NYTP_ONE_PROFILE] = "[FILE]", [NYTP_PROFILES] = "[FILE ...]"};
    printf("usage: %s [OPTION ...] %s\n%s\n%s", nytp_name(),
           program->operands == NYTP_OTHER_OPERANDS ? program->operands_usage : usage[program->operands],
           program->about, program->examples);
    print_operands(program);
    print_rows(table);
    puts("  -h, --help, --version");
    if (program->notes != NULL)
        fputs(program->notes, stdout);
    return nytp_flush_stdout();
}

int nytp_help_print_rest(const nytp_option *after)
{
    print_rows(after + 1);
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
        if (row->same_as != NULL || row->group != NULL)
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
