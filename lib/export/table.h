/* Tables for people: described once by their columns, filled cell by cell, and written as text that fits a
 * terminal, or in Markdown. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What the reader of a text has before him. */
typedef struct nytp_look {
    size_t columns; /* of the terminal; 0: lines may have any length */
    bool is_ascii;  /* it shows no other characters */
} nytp_look;

/* Returns how many columns of a terminal the text takes. */
size_t nytp_columns_of(const char *text);

/* Returns a name without the directories of files in brackets, for the caller to g_free(). If it takes more
 * than so many columns, what is cut out of it is in the middle: the name of a sub with its last package, or
 * that of a file, stays as long as it can. */
char *nytp_fit(const char *name, size_t columns, bool is_ascii);

/* How the cells of a column stand. Those of names may be cut. */
enum nytp_column_kind { NYTP_COLUMN_NUMBER, NYTP_COLUMN_WORDS, NYTP_COLUMN_NAME };

typedef struct nytp_column {
    const char *head; /* if all are empty, the table has none */
    enum nytp_column_kind kind;
    size_t width;  /* at least, in text */
    unsigned rank; /* in a narrow terminal the column with the highest one leaves first; 0: it stays */
} nytp_column;

typedef struct nytp_table nytp_table;

/* columns must stay valid. */
nytp_table *nytp_table_new(const nytp_column *columns, size_t count);
void nytp_table_free(nytp_table *table);

/* Adds the next cell; after that of the last column a new row begins. A name is code in Markdown. Text must
 * be valid UTF-8. */
void nytp_table_text(nytp_table *table, const char *text);
void nytp_table_name(nytp_table *table, const char *name);

/* Returns the table as lines of text, for the caller to g_free(). Columns that are empty in all rows are left
 * out. */
char *nytp_table_lines(nytp_table *table, const nytp_look *look);

/* Writes the same in Markdown. Write errors stick to out. */
void nytp_table_write_markdown(const nytp_table *table, FILE *out);
