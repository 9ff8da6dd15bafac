/* The view on a terminal. */
#pragma once

#include "view.h"

/* Takes over the terminal. false: it cannot be used. */
bool top_screen_begin(void);
void top_screen_end(void);

/* Whether the terminal is that of other processes at this moment. A signal handler may call it. */
bool top_screen_is_in_background(void);

void top_screen_draw(top_view *view, const top_tables *tables, double seconds);

/* Handles the keys that were pressed since the last time. *changed: the view is another one. false: the end.
 */
bool top_screen_keys(top_view *view, bool *changed);
