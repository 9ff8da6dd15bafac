/* Colours from cold to hot; those of DOT_THEME_CHANGE from less time, blue, to more, red. */
#pragma once

enum dot_theme { DOT_THEME_HEAT, DOT_THEME_GRAY, DOT_THEME_PRINT, DOT_THEME_COLORBLIND, DOT_THEME_CHANGE };

typedef struct dot_theme_colors {
    char fill[8], text[8], border[8], line[8]; /* "#rrggbb"; line: of an edge */
} dot_theme_colors;

/* Returns the colours for a weight from 0, cold, to 1, hot. */
dot_theme_colors dot_theme_at(enum dot_theme theme, double weight);
