/* The statements of a file, by line. */
#include "model.h"

static gint compare_numbers(gconstpointer a, gconstpointer b, gpointer context)
{
    guint x = GPOINTER_TO_UINT(a), y = GPOINTER_TO_UINT(b);
    (void)context;
    return (x > y) - (x < y);
}

void nytp_lines_clear(nytp_lines *lines)
{
    for (uint32_t i = 0; i < lines->near_count; i++)
        g_free(lines->near[i]);
    g_free(lines->near);
    if (lines->far != NULL)
        g_tree_destroy(lines->far);
    *lines = (nytp_lines){0};
}

static page *near_page(nytp_lines *lines, uint32_t number)
{
    if (number >= lines->near_count) {
        uint32_t count = number < 4 ? number + 1 : MIN(number * 2, NEAR_PAGES);
        lines->near = g_renew(page *, lines->near, count);
        memset(lines->near + lines->near_count, 0, (count - lines->near_count) * sizeof *lines->near);
        lines->near_count = count;
    }
    if (lines->near[number] == NULL)
        lines->near[number] = g_new0(page, 1);
    return lines->near[number];
}

page *nytp_lines_page(nytp_lines *lines, uint32_t number)
{
    if (number < NEAR_PAGES)
        return near_page(lines, number);
    if (lines->far_page != NULL && lines->far_number == number)
        return lines->far_page;
    if (lines->far == NULL)
        lines->far = g_tree_new_full(compare_numbers, NULL, NULL, g_free);
    page *p = g_tree_lookup(lines->far, GUINT_TO_POINTER(number));
    if (p == NULL) {
        p = g_new0(page, 1);
        g_tree_insert(lines->far, GUINT_TO_POINTER(number), p);
    }
    lines->far_number = number;
    return lines->far_page = p;
}

/* The first page from *number on, whose number it stores; NULL: none. */
static const page *page_from(const nytp_lines *lines, uint32_t *number)
{
    for (; *number < lines->near_count; (*number)++)
        if (lines->near[*number] != NULL)
            return lines->near[*number];
    if (lines->far == NULL)
        return NULL;
    GTreeNode *node = g_tree_lower_bound(lines->far, GUINT_TO_POINTER(*number));
    if (node == NULL)
        return NULL;
    *number = GPOINTER_TO_UINT(g_tree_node_key(node));
    return g_tree_node_value(node);
}

bool nytp_lines_next(const nytp_lines *lines, uint64_t *from, nytp_line *line)
{
    while (*from <= UINT32_MAX) {
        uint32_t number = (uint32_t)(*from / LINES_PER_PAGE);
        const page *p = page_from(lines, &number);
        if (p == NULL)
            return false;
        uint64_t first = (uint64_t)number * LINES_PER_PAGE, end = first + LINES_PER_PAGE;
        for (uint64_t at = MAX(*from, first); at < end; at++) {
            const line_sum *sum = &p->lines[at - first];
            if (sum->count != 0 || sum->ticks != 0) {
                *line = (nytp_line){(uint32_t)at, sum->count, sum->ticks};
                *from = at + 1;
                return true;
            }
        }
        *from = end;
    }
    return false;
}
