#include "export/table.h"

#include <glib.h>
#include <string.h>

/* Characters of our own that ASCII lacks. */
static const struct {
    gunichar own;
    const char *ascii;
} own_characters[] = {{0xB1, "+-"},  {0x2026, ".."}, {0x203A, ">"},
                      {0x2502, "|"}, {0x251C, "+"},  {0x2514, "`"}};

char *nytp_text_in_ascii(const char *text)
{
    GString *shown = g_string_new(NULL);
    for (const char *from = text; *from != '\0'; from = g_utf8_next_char(from)) {
        const gunichar c = g_utf8_get_char(from);
        size_t i = 0;
        while (i < G_N_ELEMENTS(own_characters) && own_characters[i].own != c)
            i++;
        if (i < G_N_ELEMENTS(own_characters))
            g_string_append(shown, own_characters[i].ascii);
        else
            g_string_append_printf(shown, c < 0x80 ? "%c" : "\\x{%x}", c);
    }
    return g_string_free(shown, FALSE);
}

typedef struct lines {
    FILE *to;
    nytp_look look;
    GString *line; /* that has not ended */
} lines;

/* Returns how many bytes are not broken: a word, a number and its unit, or what a sum adds: "+ 97 ms queued".
 */
static size_t piece_length(const char *text)
{
    size_t length = strcspn(text, " ");
    const bool is_sign =
        length == 1 && strchr("+=", *text) != NULL && text[1] == ' ' && g_ascii_isdigit(text[2]);
    const bool is_number = strspn(text, "0123456789.,(+-") == length;
    for (int more = is_sign ? 3 : is_number ? 1 : 0; more > 0 && text[length] == ' '; more--)
        length += 1 + strcspn(text + length + 1, " ");
    return length;
}

static void break_line(const char *line, const lines *l)
{
    enum { INDENT = 2 };
    const size_t columns = MAX(l->look.columns, INDENT + 1);
    size_t at = 0;
    while (*line != '\0') {
        const size_t blanks = strspn(line, " "), length = piece_length(line + blanks);
        g_autofree char *piece = g_strndup(line + blanks, length),
                        *shown = nytp_fit(piece, columns - INDENT, l->look.is_ascii);
        const bool fits = at + blanks + nytp_columns_of(shown) <= columns;
        fprintf(l->to, "%s%*s%s", fits ? "" : "\n", fits ? (int)blanks : INDENT, "", shown);
        at = (fits ? at + blanks : INDENT) + nytp_columns_of(shown);
        line += blanks + length;
    }
}

static void end_line(lines *l)
{
    g_autofree char *valid = g_utf8_make_valid(l->line->str, (gssize)l->line->len),
                    *ascii = l->look.is_ascii ? nytp_text_in_ascii(valid) : NULL;
    const char *line = ascii != NULL ? ascii : valid;
    if (l->look.columns > 0 && nytp_columns_of(line) > l->look.columns)
        break_line(line, l);
    else
        fputs(line, l->to);
    g_string_truncate(l->line, 0);
}

static ssize_t take(void *cookie, const char *text, size_t size)
{
    lines *l = cookie;
    const char *const end = text + size;
    for (const char *stop; (stop = memchr(text, '\n', (size_t)(end - text))) != NULL; text = stop + 1) {
        g_string_append_len(l->line, text, stop - text);
        end_line(l);
        putc('\n', l->to);
    }
    g_string_append_len(l->line, text, end - text);
    return ferror(l->to) != 0 ? 0 : (ssize_t)size;
}

static int close_lines(void *cookie)
{
    lines *l = cookie;
    if (l->line->len > 0)
        end_line(l);
    g_string_free(l->line, TRUE);
    g_free(l);
    return 0;
}

FILE *nytp_lines_open(FILE *to, const nytp_look *look)
{
    lines *l = g_new(lines, 1);
    *l = (lines){to, *look, g_string_new(NULL)};
    FILE *stream = fopencookie(l, "w", (cookie_io_functions_t){.write = take, .close = close_lines});
    if (stream == NULL)
        g_error("out of memory");
    return stream;
}
