#include "view.h"

#include <glib.h>
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ESCAPE = 27, BELOW_HEADER = 3 };

static bool editing; /* the filter */

/* Whether text can be put anywhere: not on a terminal of type dumb, as a shell in Emacs is. */
static bool can_move_cursor(void)
{
    const char *how = tigetstr("cup");
    return how != NULL && how != (const char *)-1; /* NOLINT: what curses returns */
}

bool top_screen_begin(void)
{
    const char *terminal = getenv("TERM");
    if (terminal == NULL || !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) ||
        newterm(NULL, stdout, stdin) == NULL)
        return false;
    if (!can_move_cursor()) {
        endwin();
        return false;
    }
    cbreak();
    noecho();
    curs_set(0);
    nodelay(stdscr, TRUE);
    keypad(stdscr, TRUE);
    set_escdelay(50);
    return true;
}

void top_screen_end(void)
{
    endwin();
}

bool top_screen_is_in_background(void)
{
    const pid_t foreground = tcgetpgrp(STDIN_FILENO);
    return foreground >= 0 && foreground != getpgrp();
}

/* Text goes on in the next line at the right margin of a window, but not below its last line. So each line is
 * a window of its own. */
static void draw_in_line(int line, const char *text, chtype background)
{
    WINDOW *own = derwin(stdscr, 1, COLS, line, 0);
    if (own == NULL)
        return;
    wbkgdset(own, ' ' | background);
    werase(own);
    waddstr(own, text);
    wsyncup(own);
    delwin(own);
}

/* Frees the lines. */
static void draw_lines(const top_view *view, int at, char **lines)
{
    for (char **line = lines; *line != NULL && at < LINES - 1; line++, at++)
        draw_in_line(at, *line, at == 2 || (at == view->marked && at > 2) ? A_REVERSE : A_NORMAL);
    g_strfreev(lines);
}

size_t top_screen_rows(void)
{
    return LINES > BELOW_HEADER + 1 ? (size_t)(LINES - BELOW_HEADER - 1) : 1;
}

/* Returns what keys do, as far as there is room for it, for g_free(). */
static char *keys_in(size_t columns)
{
    static const char *const keys[] = {
        "arrows select  ", "Enter callers/callees  ", "Tab lines  ", "<> sort  ", "/ filter  ", "w work  ", "k stack  "};
    static const char last[] = "? keys";
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
        if (text->len + strlen(keys[i]) + strlen(last) <= columns)
            g_string_append(text, keys[i]);
    return g_string_free(g_string_append(text, last), FALSE);
}

void top_screen_draw(top_view *view, const top_tables *tables, double seconds)
{
    char filter[sizeof view->filter + 16];
    snprintf(filter, sizeof filter, "Filter: %s_", view->filter);
    erase();
    view->look.columns = (size_t)COLS;
    const size_t rows = top_screen_rows(), pane = top_view_pane_rows(view, rows);
    draw_lines(view, 0, top_view_lines(view, tables, seconds, rows - pane));
    if (pane > 0 && view->marked > 0 && view->of[0] == '\0')
        draw_lines(view, LINES - 1 - (int)pane, top_view_pane(view, tables));
    g_autofree char *keys = keys_in((size_t)COLS);
    draw_in_line(LINES - 1, editing ? filter : keys, A_NORMAL);
    refresh();
}

static void edit(top_view *view, int key)
{
    size_t length = strlen(view->filter);
    if (key == '\n' || key == '\r' || key == KEY_ENTER) {
        editing = false;
    } else if (key == ESCAPE) {
        editing = false;
        view->filter[0] = '\0';
    } else if ((key == KEY_BACKSPACE || key == 127 || key == '\b') && length > 0) {
        view->filter[length - 1] = '\0';
    } else if (key >= ' ' && key < 127 && length + 1 < sizeof view->filter) {
        view->filter[length] = (char)key;
        view->filter[length + 1] = '\0';
    }
    view->first = 0;
}

static void scroll_by(top_view *view, long rows)
{
    if (view->stack)
        view->first = rows < 0 && view->first < (size_t)-rows ? 0 : view->first + (size_t)rows;
    else
        view->move += rows;
}

static bool handle(top_view *view, int key)
{
    if (editing) {
        edit(view, key);
        return true;
    }
    switch (key) {
    case KEY_F(1): return top_view_key(view, 'h');
    case KEY_F(6): return top_view_key(view, '>');
    case KEY_F(10): return top_view_key(view, 'q');
    case KEY_F(4):
    case '\\':
    case '/': editing = !view->help; return true;
    case KEY_DOWN: scroll_by(view, 1); return true;
    case KEY_UP: scroll_by(view, -1); return true;
    case KEY_NPAGE: scroll_by(view, (long)top_screen_rows()); return true;
    case KEY_PPAGE: scroll_by(view, -(long)top_screen_rows()); return true;
    case KEY_HOME: scroll_by(view, -TOP_MOST); return true;
    case KEY_END: scroll_by(view, TOP_MOST); return true;
    case '\n':
    case '\r':
    case KEY_ENTER: view->opens = true; return true;
    case ESCAPE:
    case KEY_LEFT: top_view_close(view); return true;
    default: return top_view_key(view, key);
    }
}

bool top_screen_keys(top_view *view, bool *changed)
{
    int key;
    *changed = false;
    while ((key = getch()) != ERR) {
        *changed = true;
        if (!handle(view, key))
            return false;
    }
    return true;
}
