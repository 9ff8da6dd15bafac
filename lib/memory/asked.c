/* What --memory asks for. */
#include "memory/view.h"

#include <math.h>
#include <string.h>

const char *const nytp_memory_of_names[] = {
    [NYTP_MEMORY_LIVE] = "live",           [NYTP_MEMORY_PEAK] = "peak", [NYTP_MEMORY_ALLOC] = "alloc",
    [NYTP_MEMORY_TEMPORARY] = "temporary", [NYTP_MEMORY_HELD] = "held", [NYTP_MEMORY_GROWN] = "grown"};

nytp_memory_view nytp_memory_view_of(enum nytp_memory_of of)
{
    return (nytp_memory_view){.of = of, .end.s = INFINITY};
}

/* A time begins with a digit. */
static const char *read_moment(const char *text, nytp_memory_moment *moment)
{
    nytp_stretch stretch = {0};
    if (!g_ascii_isdigit(*text)) {
        moment->name = g_intern_string(text);
        return NULL;
    }
    g_autofree char *range = g_strconcat(text, "..", NULL);
    const char *wrong = nytp_stretch_read(range, &stretch);
    moment->s = stretch.from.s;
    return wrong == NULL && stretch.from.kind == NYTP_SINCE_BEGIN
               ? NULL
               : "expected a time since the begin, such as 3.2s, or the name of a moment";
}

static const char *read_moments(const char *text, nytp_memory_view *view)
{
    const char *dots = strstr(text, "..");
    const char *wrong = NULL;
    if (dots == NULL)
        return "expected two moments with .. between them";
    g_autofree char *begin = g_strndup(text, (gsize)(dots - text));
    if (*begin != '\0')
        wrong = read_moment(begin, &view->begin);
    if (wrong == NULL && dots[2] != '\0')
        wrong = read_moment(dots + 2, &view->end);
    return wrong;
}

const char *nytp_memory_view_read(const char *text, nytp_memory_view *view)
{
    for (int of = NYTP_MEMORY_LIVE; of < NYTP_MEMORY_GROWN; of++) {
        *view = nytp_memory_view_of((enum nytp_memory_of)of);
        if (strcmp(text, nytp_memory_of_names[of]) == 0)
            return NULL;
    }
    *view = nytp_memory_view_of(NYTP_MEMORY_LIVE);
    if (g_str_has_prefix(text, "at=") && text[3] != '\0')
        return read_moment(text + 3, &view->end);
    if (g_str_has_prefix(text, "held=") && text[5] != '\0' && !g_ascii_isdigit(text[5])) {
        view->of = NYTP_MEMORY_HELD;
        return read_moment(text + strlen("held="), &view->end);
    }
    if (g_str_has_prefix(text, "grown=")) {
        view->of = NYTP_MEMORY_GROWN;
        return read_moments(text + strlen("grown="), view);
    }
    return "expected live, peak, alloc, temporary, held, held=NAME, at=MOMENT or grown=MOMENT..MOMENT";
}

bool nytp_memory_view_has_moments(const nytp_memory_view *view)
{
    return view->of == NYTP_MEMORY_GROWN || view->end.name != NULL || view->end.s < INFINITY;
}
