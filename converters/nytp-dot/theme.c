#include "draw.h"

#include <math.h>
#include <stdio.h>

enum { STOPS = 5 };

typedef struct rgb {
    double red, green, blue; /* 0 to 255 */
} rgb;

typedef struct palette {
    rgb fills[STOPS], lines[STOPS]; /* at equal distances */
} palette;

/* The fills of colorblind are ColorBrewer's YlGnBu, which differ for every kind of colour vision, and on a
 * photocopy. Lines are dark enough to be visible on white paper. */
static const palette palettes[] = {
    [DOT_THEME_HEAT] = {{{214, 228, 243}, {250, 246, 228}, {255, 218, 134}, {246, 135, 72}, {204, 36, 29}},
                        {{130, 155, 182}, {150, 150, 132}, {210, 148, 54}, {222, 94, 42}, {184, 24, 20}}},
    [DOT_THEME_GRAY] = {{{250, 250, 250}, {226, 226, 226}, {189, 189, 189}, {120, 120, 120}, {48, 48, 48}},
                        {{165, 165, 165}, {140, 140, 140}, {110, 110, 110}, {70, 70, 70}, {20, 20, 20}}},
    [DOT_THEME_PRINT] =
        {{{255, 255, 255}, {255, 255, 255}, {255, 255, 255}, {255, 255, 255}, {255, 255, 255}},
         {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}},
    [DOT_THEME_COLORBLIND] = {{{255, 255, 217}, {199, 233, 180}, {65, 182, 196}, {34, 94, 168}, {8, 29, 88}},
                              {{150, 160, 130}, {110, 160, 120}, {50, 140, 160}, {34, 94, 168}, {8, 29, 88}}},
    [DOT_THEME_CHANGE] = {{{33, 102, 172}, {146, 197, 222}, {247, 247, 247}, {244, 165, 130}, {178, 24, 43}},
                          {{33, 102, 172}, {96, 150, 190}, {160, 160, 160}, {214, 120, 90}, {178, 24, 43}}},
};

static double between(double a, double b, double part)
{
    return a + (b - a) * part;
}

static rgb mix(const rgb stops[STOPS], double weight)
{
    double place = fmin(fmax(weight, 0), 1) * (STOPS - 1);
    int below = (int)fmin(place, STOPS - 2);
    const rgb *a = &stops[below], *b = &stops[below + 1];
    double part = place - below;
    return (rgb){between(a->red, b->red, part), between(a->green, b->green, part),
                 between(a->blue, b->blue, part)};
}

static void print(char text[8], rgb color)
{
    snprintf(text, 8, "#%02x%02x%02x", (unsigned)lround(color.red) & 0xFF,
             (unsigned)lround(color.green) & 0xFF, (unsigned)lround(color.blue) & 0xFF);
}

/* Returns the luminance according to Rec. 601, from 0 to 1. */
static double luminance(rgb c)
{
    return (0.299 * c.red + 0.587 * c.green + 0.114 * c.blue) / 255;
}

dot_theme_colors dot_theme_at(enum dot_theme theme, double weight)
{
    const double dark = 0.5;
    const rgb white = {255, 255, 255}, ink = {26, 26, 26};
    rgb fill = mix(palettes[theme].fills, weight), line = mix(palettes[theme].lines, weight);
    dot_theme_colors colors = {.fill = ""};
    print(colors.fill, fill);
    print(colors.text, luminance(fill) < dark ? white : ink);
    print(colors.border, line);
    print(colors.line, line);
    return colors;
}
