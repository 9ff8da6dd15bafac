#include "stock.h"

#include "base/str.h"
#include "base/ticks.h"
#include "model/grow.h"
#include "model/measure.h"

#include <string.h>
#include <sys/stat.h>

/* What \s matches in a string of bytes; in one of characters also other spaces. Returns the size of the space
 * that text begins with, or 0. */
static size_t space_at(const char *at, const char *end, bool utf8)
{
    if (at == end)
        return 0;
    if (*at == ' ' || (*at >= '\t' && *at <= '\r'))
        return 1;
    gunichar c = utf8 && (*at & 0x80) ? g_utf8_get_char_validated(at, end - at) : 0;
    bool is_space = c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
                    c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
    return is_space ? (size_t)g_unichar_to_utf8(c, NULL) : 0;
}

static nytp_str without_spaces(nytp_str text)
{
    size_t size;
    while (text.length > 0 && (size = space_at(text.bytes, text.bytes + text.length, text.utf8)) != 0) {
        text.bytes += size;
        text.length -= size;
    }
    return text;
}

static nytp_str without_newline(nytp_str text)
{
    text.length -= text.length > 0 && text.bytes[text.length - 1] == '\n';
    return text;
}

/* Perl prints characters as Latin-1, unless one of the string is not in it. */
static void put_text(nytp_str text, FILE *out)
{
    g_autofree char *latin1 = NULL;
    gsize length = 0;
    if (text.utf8)
        latin1 = g_convert(text.bytes, (gssize)text.length, "ISO-8859-1", "UTF-8", NULL, &length, NULL);
    if (latin1 != NULL)
        fwrite(latin1, 1, length, out);
    else if (text.length > 0)
        fwrite(text.bytes, 1, text.length, out);
}

static const csv_row *row_of(const GArray *rows, uint32_t line)
{
    static const csv_row none;
    return line < rows->len ? &g_array_index(rows, csv_row, line) : &none;
}

static void put_line(const csv_stock *stock, const csv_row *row, nytp_str text, FILE *out)
{
    uint64_t calls = row->ran && row->count == 0 ? 1 : row->count;
    double seconds =
        (double)nytp_add_ticks(row->ticks, row->eval_ticks) / nytp_profile_ticks_per_sec(stock->profile);
    if (stock->annotated)
        fprintf(out, "srcline%s", stock->delimiter);
    fprintf(out, "%f%s%g%s%f%s", seconds, stock->delimiter, (double)calls, stock->delimiter,
            calls > 0 ? seconds / (double)calls : 0, stock->delimiter);
    put_text(without_spaces(without_newline(text)), out);
    putc('\n', out);
}

/* Whether there is such a line, and it is blank. */
static bool is_blank(const GArray *lines, guint i)
{
    return i < lines->len && without_spaces(g_array_index(lines, nytp_str, i)).length == 0;
}

/* Where many blank lines follow one another, the first two and the last are written. The others stand for
 * POD, whose text perl does not save. */
static void put_lines(const csv_stock *stock, const GArray *rows, const GArray *lines, uint32_t line,
                      FILE *out)
{
    bool after_empty = false;
    for (guint i = 0; i < lines->len; i++, line++) {
        nytp_str text = without_newline(g_array_index(lines, nytp_str, i));
        bool skips = after_empty && text.length == 0 && is_blank(lines, i + 1) && !row_of(rows, line)->known;
        put_line(stock, row_of(rows, line), text, out);
        while (skips && is_blank(lines, i + 1) && !row_of(rows, line + 1)->known) {
            i++;
            line++;
        }
        after_empty = text.length == 0;
    }
}

/* Returns why there is no source of a plain file. */
static char *unreadable(const char *name, int error)
{
    static const char accessor[] = "/accessor ", defined[] = " defined at /",
                      generated[] = "/generated method (unknown origin)";
    const char *begin = strstr(name, accessor), *end = NULL;
    for (const char *at = begin; at != NULL && (at = strstr(at + 1, defined)) != NULL;)
        end = at;
    if (end != NULL)
        return g_strdup_printf("Source for generated Moose %.*s isn't available (%s: %s)",
                               (int)(end - begin - 1), begin + 1, name, g_strerror(error));
    if (strstr(name, generated) != NULL)
        return g_strdup_printf("Source for Moose %s isn't available (%s: %s)", generated + 1, name,
                               g_strerror(error));
    return g_strdup_printf("Unable to open '%s' for reading: %s", name, g_strerror(error));
}

/* Whether perl made up the name for what a CODE reference in @INC returned. */
static bool is_loaded_by_code(const char *name)
{
    return g_regex_match_simple("^/loader/0x[[:alnum:]]+/", name, G_REGEX_RAW, 0);
}

/* Returns what stock writes in the place of source. The caller must g_free() it. */
static char *missing_text(const csv_stock *stock, const nytp_file *f, int error)
{
    char *name = g_strndup(f->name.bytes, f->name.length), *text;
    const char *recent = "You probably need to use a more recent version of perl. See savesrc option in "
                         "documentation.";
    if (f->flags & NYTP_FID_IS_FAKE)
        text = g_strdup_printf("No source code available for synthetic (fake) file %s.", name);
    else if (csv_sheets_is_eval(stock->sheets, f))
        text = g_strdup_printf("No source code available for string eval %s.\n%s", name, recent);
    else if (is_loaded_by_code(name))
        text = g_strdup("No source code available for 'file' loaded via CODE reference in @INC.\n"
                        "See savesrc option in documentation.");
    else if (f->flags & NYTP_FID_IS_EVAL)
        text = g_strdup_printf("No source code available for non-file '%s'.\n%s", name, recent);
    else
        text = unreadable(name, error);
    g_free(name);
    return text;
}

static double attribute(const csv_stock *stock, const char *key)
{
    const double value = nytp_str_number(nytp_profile_attribute(stock->profile, key));
    return value == value ? value : 0;
}

/* The text may be another one than that which ran. */
static bool is_newer(const csv_stock *stock, const nytp_file *f)
{
    struct stat st;
    g_autofree char *name = g_strndup(f->name.bytes, f->name.length);
    bool is_file = !csv_source_is_saved(stock->source, f->fid) && stat(name, &st) == 0 && S_ISREG(st.st_mode);
    return is_file && (double)st.st_mtime > attribute(stock, "basetime");
}

static void put_head(const csv_stock *stock, const nytp_file *f, FILE *out)
{
    double fid = attribute(stock, "sawampersand_fid");
    fputs(CSV_STOCK_BEGIN "# Version: v6.12\n"
                          "# More information at http://metacpan.org/release/Devel-NYTProf/\n# Format: "
                          "time,calls,time/call,code\n",
          out);
    if (is_newer(stock, f))
        fputs("# WARNING!\n"
              "# The source file used in generating this report has been modified\n"
              "# since generating the profiler database.  It might be out of sync\n",
              out);
    if (fid >= 1 && fid <= UINT32_MAX && csv_sheets_stands_for(stock->sheets, f, (uint32_t)fid))
        fputs("# NOTE!\n"
              "# This file uses special regexp match variables that impact the performance\n"
              "# of all regular expression in the program!\n"
              "# See WARNING in http://perldoc.perl.org/perlre.html#Capture-buffers\n",
              out);
}

void csv_stock_write(const csv_stock *stock, const nytp_file *f, enum csv_level level, FILE *out)
{
    static const char no_line[] = "Profile data that couldn't be associated with a specific line:";
    int error;
    const GArray *source = csv_source_lines(stock->source, f, &error);
    g_autoptr(GArray) rows = csv_sheets_rows(stock->sheets, f, level);
    g_autoptr(GArray) lines = NYTP_ARRAY(nytp_str);
    g_autofree char *missing = source == NULL ? missing_text(stock, f, error) : NULL;
    bool has_line_0 = g_array_index(rows, csv_row, 0).known;
    if (has_line_0)
        g_array_append_val(lines, ((nytp_str){no_line, sizeof no_line - 1, false}));
    if (source != NULL)
        g_array_append_vals(lines, source->data, source->len);
    else
        g_array_append_val(lines, ((nytp_str){missing, strlen(missing), f->name.utf8}));
    while (lines->len - has_line_0 + 2 < rows->len)
        g_array_append_val(lines, ((nytp_str){"", 0, false}));
    put_head(stock, f, out);
    put_lines(stock, rows, lines, has_line_0 || missing != NULL ? 0 : 1, out);
}
