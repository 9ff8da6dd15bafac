/* Colours from cold to hot. */
#ifndef THEME_H
#define THEME_H

enum theme { THEME_HEAT, THEME_GRAY, THEME_PRINT, THEME_COLORBLIND };

typedef struct theme_colors {
    char fill[8], text[8], border[8], line[8]; /* "#rrggbb"; line is that of an edge */
} theme_colors;

/* weight is from 0, cold, to 1, hot. */
theme_colors theme_at(enum theme theme, double weight);

#endif
