#include "export/table.h"

#include <glib.h>
#include <string.h>

static size_t columns_of_char(const char *at)
{
    const gunichar c = g_utf8_get_char(at);
    return g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
}

size_t nytp_columns_of(const char *text)
{
    const char *end;
    size_t columns = 0;
    for (; *text != '\0'; text = g_utf8_next_char(text))
        if (*text == '\033' && (end = strchr(text, 'm')) != NULL)
            text = end;
        else
            columns += columns_of_char(text);
    return columns;
}

/* Returns the longest end of the text that takes at most so many columns. */
static const char *tail_of(const char *text, size_t columns)
{
    const char *at = text + strlen(text);
    for (const char *before; at > text; at = before) {
        before = g_utf8_prev_char(at);
        if (columns_of_char(before) > columns)
            break;
        columns -= columns_of_char(before);
    }
    return at;
}

/* Returns as much of the beginning of `from` as there is room for before the dots and the tail; NULL if there
 * is none for these. */
static char *join(const char *from, const char *dots, const char *tail, size_t columns)
{
    const size_t kept = nytp_columns_of(dots) + nytp_columns_of(tail);
    if (kept > columns)
        return NULL;
    const char *end = from;
    for (size_t room = columns - kept; *end != '\0' && columns_of_char(end) <= room;
         end = g_utf8_next_char(end))
        room -= columns_of_char(end);
    return g_strdup_printf("%.*s%s%s", (int)(end - from), from, dots, tail);
}

static const char *dots_of(bool is_ascii)
{
    return is_ascii ? ".." : "\xe2\x80\xa6";
}

char *nytp_fit_begin(const char *text, size_t columns, bool is_ascii)
{
    char *cut = nytp_columns_of(text) > columns ? join(text, dots_of(is_ascii), "", columns) : g_strdup(text);
    return cut != NULL ? cut : g_strdup("");
}

/* Leaves out the directories in "__ANON__[/usr/share/perl5/A.pm:12]". */
static char *without_directories(const char *name)
{
    const char *open = strchr(name, '['), *slash = strrchr(name, '/');
    if (open == NULL || slash == NULL || slash < open || slash[1] == '\0')
        return g_strdup(name);
    while (open[1] == '(' && strchr(open + 1, '[') != NULL) /* "[(eval 5)[/a/b.pl:1]:2]" */
        open = strchr(open + 1, '[');
    if (slash < open)
        return g_strdup(name);
    return g_strdup_printf("%.*s%s", (int)(open + 1 - name), name, slash + 1);
}

char *nytp_fit(const char *name, size_t columns, bool is_ascii)
{
    g_autofree char *text = without_directories(name);
    if (nytp_columns_of(text) <= columns)
        return g_steal_pointer(&text);
    const char *own = g_strrstr_len(text, (gssize)strcspn(text, " [("), "::"),
               *package = own != NULL ? g_strrstr_len(text, own - text, "::") : NULL;
    const struct {
        const char *from, *tail;
    } ways[] = {{text, package},
                {package != NULL ? package + strlen("::") : text, own},
                {text, own == NULL && strchr(text, ' ') == NULL ? strrchr(text, '/') : NULL},
                {text, tail_of(text, columns / 3)},
                {text, ""}};
    char *cut = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(ways) && cut == NULL; i++)
        if (ways[i].tail != NULL)
            cut = join(ways[i].from, dots_of(is_ascii), ways[i].tail, columns);
    return cut != NULL ? cut : g_strdup("");
}

char *nytp_fit_joined(const char *names, size_t columns, bool is_ascii)
{
    const char *joint = is_ascii ? " > " : " › ", *dots = is_ascii ? " > .. > " : " › … › ";
    g_auto(GStrv) name = g_strsplit(names, (char[]){NYTP_JOINED, '\0'}, -1);
    g_autofree char *all = g_strjoinv(joint, name);
    const guint count = g_strv_length(name);
    const char *between = count > 2 ? dots : joint;
    if (nytp_columns_of(all) <= columns)
        return g_steal_pointer(&all);
    if (count < 2 || nytp_columns_of(between) >= columns / 2)
        return nytp_fit(name[0], columns, is_ascii);
    const size_t room = columns - nytp_columns_of(between), half = room / 2,
                 for_last = MAX(half, room - MIN(room, nytp_columns_of(name[0])));
    g_autofree char *last = nytp_fit(name[count - 1], for_last, is_ascii),
                    *first =
                        nytp_fit(name[0], room - MIN(for_last, nytp_columns_of(name[count - 1])), is_ascii);
    return g_strconcat(first, between, last, NULL);
}
