/* The view on a terminal. */
#pragma once

#include "view.h"

/* Takes over the terminal. false: it cannot be used. */
bool top_screen_begin(void);
void top_screen_end(void);

void top_screen_draw(top_view *view, const top_tables *tables, double seconds);

/* Handles the keys that were pressed since the last time. *changed: the view is another one. false: the end.
 */
bool top_screen_keys(top_view *view, bool *changed);
