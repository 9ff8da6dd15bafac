#include "export/table.h"

#include "export/amount.h"
#include "export/csv.h"
#include "export/json.h"
#include "export/markdown.h"
#include "model/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 32,     /* columns of a table */
    BETWEEN = 2,   /* blanks between them */
    NAMES = 20,    /* columns of a terminal that names get before others leave */
    LEAST_USED = 9 /* the rank of what leaves before any name is cut */
};

const char *const nytp_table_forms[] = {
    [NYTP_TEXT] = "text", [NYTP_MARKDOWN] = "markdown", [NYTP_CSV] = "csv", [NYTP_JSON] = "json", NULL};

enum cell_kind { TEXT, NAME, NUMBER };

typedef struct cell {
    char *indent; /* of the branch of a tree; else NULL */
    char *text;
    enum cell_kind kind;
} cell;

struct nytp_table {
    const nytp_column *columns;
    guint count;
    enum nytp_table_form form;
    FILE *out;
    GArray *cells; /* for people: cell, row by row; the heads are the first one */
    size_t added;  /* cells, without heads */
};

static void clear_cell(gpointer c)
{
    g_free(((cell *)c)->indent);
    g_free(((cell *)c)->text);
}

static bool is_for_people(const nytp_table *t)
{
    return t->form == NYTP_TEXT || t->form == NYTP_MARKDOWN;
}

/* Returns the name that programs know a column by, for the caller to g_free(). */
static char *key_of(const nytp_column *c)
{
    const char *key = c->key != NULL ? c->key : c->head;
    const bool is_amount = c->kind == NYTP_COLUMN_AMOUNT || c->kind == NYTP_COLUMN_AVERAGE;
    return g_strconcat(key, !is_amount ? "" : nytp_measure_is_bytes(c->measure) ? "_bytes" : "_s", NULL);
}

static void write_json(const nytp_table *t, const char *key, const char *text, enum cell_kind kind)
{
    fprintf(t->out, "\"%s\": ", key);
    if (kind != NUMBER)
        nytp_json_string(t->out, nytp_str_of(text));
    else
        fputs(*text != '\0' ? text : "null", t->out);
}

/* Writes a cell for programs, unless only people have its column. */
static void write_data(const nytp_table *t, guint column, const char *text, enum cell_kind kind)
{
    const bool is_csv = t->form == NYTP_CSV;
    g_autofree char *key = key_of(&t->columns[column]);
    if (!is_csv && column == 0)
        fputs(t->added > 0 ? ",\n{" : "\n{", t->out);
    if (*key != '\0') {
        if (column > 0)
            fputs(is_csv ? "," : ", ", t->out);
        if (is_csv)
            nytp_csv_cell(text, t->out);
        else
            write_json(t, key, text, kind);
    }
    if (column + 1 == t->count)
        fputs(is_csv ? "\r\n" : "}", t->out);
}

static void add(nytp_table *t, const char *text, enum cell_kind kind)
{
    if (is_for_people(t))
        g_array_append_val(t->cells, ((cell){NULL, g_strdup(text), kind}));
    else
        write_data(t, (guint)(t->added % t->count), text, kind);
    t->added++;
}

void nytp_table_text(nytp_table *t, const char *text)
{
    add(t, text, TEXT);
}

void nytp_table_name(nytp_table *t, const char *name)
{
    add(t, name, NAME);
}

void nytp_table_branch(nytp_table *t, const char *indent, const char *names)
{
    nytp_table_name(t, names);
    if (is_for_people(t))
        g_array_index(t->cells, cell, t->cells->len - 1).indent = g_strdup(indent);
}

void nytp_table_number(nytp_table *t, const char *shown, double number, int decimals)
{
    char text[NYTP_NUMBER_MAX + 1] = "";
    if (isfinite(number) && decimals < 0)
        snprintf(text, sizeof text, "%.*g", -decimals, number);
    else if (isfinite(number))
        text[nytp_number_write(text, number, decimals)] = '\0';
    add(t, is_for_people(t) && shown != NULL ? shown : text, NUMBER);
}

void nytp_table_value(nytp_table *t, double value)
{
    const double least_percent = 0.05;
    const nytp_column *c = &t->columns[t->added % t->count];
    const bool is_page = t->form == NYTP_MARKDOWN, is_share = c->kind == NYTP_COLUMN_SHARE;
    const bool is_some = isfinite(value) && value != 0;
    nytp_amount shown = {""};
    int decimals = 0;
    if (is_share) {
        decimals = 3;
        if (isfinite(value) && (is_page || fabs(value) >= least_percent))
            snprintf(shown.text, sizeof shown.text, "%.1f%s", nytp_ties_up(value), is_page ? " %" : "");
    } else if (c->kind == NYTP_COLUMN_NUMBER) {
        if (is_some)
            snprintf(shown.text, sizeof shown.text, "%s%.40s", value < 0 ? "-" : "",
                     nytp_amount_short(fabs(value)).text);
    } else {
        const double ticks = value;
        decimals = nytp_measure_is_time(c->measure) ? 9 : 0;
        value = ticks / c->measure->ticks_per_base;
        if (is_some)
            shown = c->kind == NYTP_COLUMN_AVERAGE ? nytp_amount_measured(c->measure, value)
                                                   : nytp_amount_ticks(c->measure, ticks);
        else if (is_page && value == 0)
            shown.text[0] = '0';
    }
    nytp_table_number(t, shown.text, value, decimals);
}

nytp_table *nytp_table_new(const nytp_column *columns, size_t count, enum nytp_table_form form, FILE *out)
{
    nytp_table *t = g_new(nytp_table, 1);
    *t = (nytp_table){columns, (guint)MIN(count, MOST), form, out, NYTP_ARRAY(cell), 0};
    g_array_set_clear_func(t->cells, clear_cell);
    if (form == NYTP_JSON)
        fputc('[', out);
    for (guint c = 0; c < t->count && form != NYTP_JSON; c++) {
        const bool is_shown = is_for_people(t);
        g_autofree char *key = is_shown ? NULL : key_of(&columns[c]);
        add(t, !is_shown ? key : columns[c].head != NULL ? columns[c].head : "", TEXT);
    }
    t->added = 0;
    return t;
}

static const cell *at(const nytp_table *t, guint row, guint column)
{
    return &g_array_index(t->cells, cell, row * t->count + column);
}

/* The number of rows, with that of the heads. */
static guint rows_of(const nytp_table *t)
{
    return t->cells->len / t->count;
}

static bool has_heads(const nytp_table *t)
{
    bool has = false;
    for (guint c = 0; c < t->count; c++)
        has |= *at(t, 0, c)->text != '\0';
    return has;
}

static size_t width_of_cell(const cell *c)
{
    const size_t of_joint = nytp_columns_of(" > ") - 1;
    size_t width = nytp_columns_of(c->text);
    for (const char *at = c->text; c->indent != NULL && (at = strchr(at, NYTP_JOINED)) != NULL; at++)
        width += of_joint;
    return width + (c->indent != NULL ? nytp_columns_of(c->indent) : 0);
}

/* Returns the width of a column in text; 0: no row has anything in it. */
static size_t width_of(const nytp_table *t, guint column)
{
    size_t width = 0;
    if (t->columns[column].head == NULL)
        return 0;
    for (guint row = 1; row < rows_of(t); row++)
        width = MAX(width, width_of_cell(at(t, row, column)));
    const size_t head = nytp_columns_of(t->columns[column].head);
    return width == 0 && rows_of(t) > 1 ? 0 : MAX(MAX(width, head), t->columns[column].width);
}

/* Returns the width of the columns of names, or of the others, with what is between them. */
static size_t sum_of(const nytp_table *t, const size_t *widths, bool of_names)
{
    size_t sum = 0;
    for (guint c = 0; c < t->count; c++)
        if ((t->columns[c].kind == NYTP_COLUMN_NAME) == of_names && widths[c] > 0)
            sum += widths[c] + BETWEEN;
    return sum;
}

/* Leaves out the column with the highest rank, if lines are longer than `columns`, where names may be cut to
 * NAMES, or not at all for a rank of LEAST_USED. Returns false if lines are not longer, or all columns that
 * are left have to stay. */
static bool leave_out_one(const nytp_table *t, size_t *widths, size_t columns)
{
    const size_t names = sum_of(t, widths, true);
    guint leaving = 0;
    unsigned rank = 0;
    for (guint c = 0; c < t->count; c++)
        if (widths[c] > 0 && t->columns[c].rank > rank)
            rank = t->columns[leaving = c].rank;
    const size_t least = rank < LEAST_USED ? MIN(names, NAMES + BETWEEN) : names;
    const bool leaves = rank > 0 && sum_of(t, widths, false) + least > columns;
    if (leaves)
        widths[leaving] = 0;
    return leaves;
}

/* Makes the widths those of lines of so many columns. Of several columns of names, the first one gets what
 * the others do not need of their parts. */
static void make_fit(const nytp_table *t, size_t *widths, size_t columns)
{
    const size_t line = columns + BETWEEN; /* the last column has nothing after it */
    while (leave_out_one(t, widths, line))
        ;
    size_t room = line - MIN(line, sum_of(t, widths, false)), names = 0;
    for (guint c = 0; c < t->count; c++)
        names += t->columns[c].kind == NYTP_COLUMN_NAME && widths[c] > 0;
    for (guint c = t->count; c-- > 0;) {
        if (t->columns[c].kind != NYTP_COLUMN_NAME || widths[c] == 0)
            continue;
        const size_t part = room / names--;
        widths[c] = MIN(widths[c], part - MIN(part, BETWEEN));
        room -= MIN(room, widths[c] + BETWEEN);
    }
}

/* Returns what is shown of a cell, for the caller to g_free(). */
static char *shown_of(const cell *c, bool is_name, size_t width, const nytp_look *look)
{
    if (c->indent != NULL) {
        const size_t before = nytp_columns_of(c->indent);
        g_autofree char *names = nytp_fit_joined(
            c->text, look->columns > 0 ? width - MIN(width, before) : SIZE_MAX, look->is_ascii);
        return g_strconcat(c->indent, names, NULL);
    }
    return is_name && look->columns > 0 ? nytp_fit(c->text, width, look->is_ascii) : g_strdup(c->text);
}

/* Colours that are readable on light and on dark. */
static const char *color_of(const char *percent)
{
    const double hot = 25, warm = 10, some = 3, share = strtod(percent, NULL);
    return share >= hot ? "\033[1;31m" : share >= warm ? "\033[31m" : share >= some ? "\033[1m" : "";
}

static void write_cell(const nytp_table *t, guint row, guint c, size_t width, bool is_last,
                       const nytp_look *look, GString *out)
{
    const enum nytp_column_kind kind = t->columns[c].kind;
    const cell *of = at(t, row, c);
    g_autofree char *shown = shown_of(of, kind == NYTP_COLUMN_NAME, width, look);
    const int blanks = (int)(width - MIN(width, nytp_columns_of(shown)));
    const bool is_number = kind < NYTP_COLUMN_WORDS;
    const char *color = look->has_colors && kind == NYTP_COLUMN_SHARE ? color_of(shown) : "";
    g_string_append_printf(out, "%*s%s%s%s%*s", is_number ? blanks : 0, "", color, shown,
                           *color != '\0' ? "\033[0m" : "", is_last ? 0 : (is_number ? 0 : blanks) + BETWEEN,
                           "");
}

/* Frees the text, and returns what shows it in ASCII; NULL stays. */
static char *in_ascii(char *text)
{
    g_autofree char *from = text;
    return from != NULL ? nytp_text_in_ascii(from) : NULL;
}

char **nytp_table_lines(nytp_table *t, const nytp_look *look)
{
    GPtrArray *lines = g_ptr_array_new();
    size_t widths[MOST];
    guint last = 0;
    NYTP_EACH(cell, c, t->cells) {
        c->text = look->is_ascii ? in_ascii(c->text) : c->text;
        c->indent = look->is_ascii ? in_ascii(c->indent) : c->indent;
    }
    for (guint c = 0; c < t->count; c++)
        widths[c] = width_of(t, c);
    if (look->columns > 0)
        make_fit(t, widths, look->columns);
    for (guint c = 0; c < t->count; c++)
        last = widths[c] > 0 ? c : last;
    for (guint row = has_heads(t) ? 0 : 1; row < rows_of(t); row++) {
        GString *line = g_string_new(NULL);
        for (guint c = 0; c <= last; c++)
            if (widths[c] > 0)
                write_cell(t, row, c, widths[c], c == last, look, line);
        g_ptr_array_add(lines, g_string_free(line, FALSE));
    }
    g_ptr_array_add(lines, NULL);
    return (char **)g_ptr_array_free(lines, FALSE);
}

static void write_markdown(const nytp_table *t)
{
    FILE *out = t->out;
    bool is_shown[MOST];
    for (guint c = 0; c < t->count; c++)
        is_shown[c] = width_of(t, c) > 0;
    for (guint row = 0; row < rows_of(t); row++) {
        for (guint c = 0; c < t->count; c++) {
            const cell *of = at(t, row, c);
            if (!is_shown[c])
                continue;
            fputs("| ", out);
            if (of->kind == NAME)
                nytp_markdown_code(of->text, true, out);
            else
                nytp_markdown_cell(of->text, out);
            fputs(*of->text != '\0' ? " " : "", out);
        }
        fputs("|\n", out);
        for (guint c = 0; c < t->count && row == 0; c++)
            if (is_shown[c])
                fputs(t->columns[c].kind < NYTP_COLUMN_WORDS ? "| ---: " : "| --- ", out);
        if (row == 0)
            fputs("|\n", out);
    }
}

static void write_rest(nytp_table *t, const nytp_look *look)
{
    if (t->form == NYTP_TEXT) {
        g_auto(GStrv) lines = nytp_table_lines(t, look);
        for (char **line = lines; *line != NULL; line++)
            fprintf(t->out, "%s\n", *line);
    } else if (t->form == NYTP_MARKDOWN) {
        write_markdown(t);
    } else if (t->form == NYTP_JSON) {
        fputs("\n]\n", t->out);
    }
}

void nytp_table_end(nytp_table *t, const nytp_look *look)
{
    if (t->out != NULL)
        write_rest(t, look);
    g_array_free(t->cells, TRUE);
    g_free(t);
}
