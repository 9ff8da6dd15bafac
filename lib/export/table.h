/* Tables: described once by their columns, filled cell by cell, and written for people, as text that fits a
 * terminal or in Markdown, or for programs, as CSV or JSON. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What the reader of a text has before him. */
typedef struct nytp_look {
    size_t columns; /* of the terminal; 0: lines may have any length */
    bool is_ascii;  /* it shows no other characters */
    bool has_colors;
} nytp_look;

/* Returns how many columns of a terminal the text takes; colours take none. */
size_t nytp_columns_of(const char *text);

/* Returns a name without the directories of files in brackets, for the caller to g_free(). If it takes more
 * than so many columns, what is cut out of it is in the middle: the name of a sub with its last package, or
 * that of a file, stays as long as it can. */
char *nytp_fit(const char *name, size_t columns, bool is_ascii);

/* Returns the text, or as much of its beginning as fits, for the caller to g_free(). */
char *nytp_fit_begin(const char *text, size_t columns, bool is_ascii);

/* Between the names of calls that stand on one line. No name has it. */
#define NYTP_JOINED '\x1f'

/* Returns the names with ">" between them, for the caller to g_free(). If they take more than so many
 * columns, the first and the last one stay, as nytp_fit() has them. */
char *nytp_fit_joined(const char *names, size_t columns, bool is_ascii);

/* Returns a text with what shows it in ASCII, for the caller to g_free(). */
char *nytp_text_in_ascii(const char *text);

/* Returns a stream that writes text to another one in lines that fit: longer ones are broken between words,
 * and go on indented; words that do not fit are cut as nytp_fit() does. fclose() ends it, before the other
 * one. */
FILE *nytp_lines_open(FILE *to, const nytp_look *look);

/* What a column has. Numbers stand at the right, and names may be cut. */
enum nytp_column_kind {
    NYTP_COLUMN_NUMBER,  /* counts, or what people read as they are told */
    NYTP_COLUMN_SHARE,   /* percents, coloured by how large they are */
    NYTP_COLUMN_AMOUNT,  /* ticks of a measure; its unit ends the key */
    NYTP_COLUMN_AVERAGE, /* the same, and it may be less than what is measured */
    NYTP_COLUMN_WORDS,
    NYTP_COLUMN_NAME
};

typedef struct nytp_column {
    const char
        *head;       /* for people; if all are empty, the table has none; NULL: they do not have the column */
    const char *key; /* in CSV and JSON; NULL: the head; "": they do not have the column */
    enum nytp_column_kind kind;
    const struct nytp_measure *measure; /* of amounts */
    size_t width;                       /* at least, in text */
    unsigned rank; /* in a narrow terminal the column with the highest one leaves first, one of 9 if a name
                      would be cut; 0: it stays */
} nytp_column;

enum nytp_table_form { NYTP_TEXT, NYTP_MARKDOWN, NYTP_CSV, NYTP_JSON };

/* The words of --format. NULL ends them. */
extern const char *const nytp_table_forms[];

typedef struct nytp_table nytp_table;

/* Begins a table, whose columns must stay valid. CSV and JSON are written to out as cells are added, what
 * people read at the end. out: NULL: only nytp_table_lines() is wanted. Write errors stick to out. */
nytp_table *nytp_table_new(const nytp_column *columns, size_t count, enum nytp_table_form form, FILE *out);

/* Ends the table, and frees it. */
void nytp_table_end(nytp_table *table, const nytp_look *look);

/* Adds the next cell; after that of the last column a new row begins. A name is code in Markdown. Text must
 * be valid UTF-8. */
void nytp_table_text(nytp_table *table, const char *text);
void nytp_table_name(nytp_table *table, const char *name);

/* The same of the names of calls in a tree, which are joined, with what stands before them. */
void nytp_table_branch(nytp_table *table, const char *indent, const char *names);

/* The same of a number, which people read as shown; NULL: as it is. What is not finite is not known.
 * decimals: below 0: as many digits. */
void nytp_table_number(nytp_table *table, const char *shown, double number, int decimals);

/* The same of what the column has. In text 0 is nothing to see. */
void nytp_table_value(nytp_table *table, double value);

/* Returns the lines of the table as text, ended by NULL, for the caller to g_strfreev(). Columns that are
 * empty in all rows are left out. */
char **nytp_table_lines(nytp_table *table, const nytp_look *look);
