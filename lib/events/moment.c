#include "events/filters.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MINUTE_S = 60, HOUR_S = 60 * MINUTE_S, DAY_S = 24 * HOUR_S };

/* Reads a decimal number without sign or exponent. Returns its end, or NULL. */
static const char *read_number(const char *at, double *number)
{
    const size_t length = strspn(at, "0123456789.");
    char digits[32], *end;
    if (length == 0 || length >= sizeof digits)
        return NULL;
    memcpy(digits, at, length);
    digits[length] = '\0';
    *number = g_ascii_strtod(digits, &end);
    return *end == '\0' ? at + length : NULL;
}

/* "3.2", "250ms", "1h2m3s". */
static bool read_seconds(const char *at, double *s)
{
    static const struct {
        const char *name;
        double s;
    } units[] = {{"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"s", 1}, {"m", MINUTE_S}, {"h", HOUR_S}, {"", 1}};
    *s = 0;
    do {
        double number;
        size_t i = 0;
        at = read_number(at, &number);
        if (at == NULL)
            return false;
        while (!g_str_has_prefix(at, units[i].name))
            i++;
        *s += number * units[i].s;
        if (units[i].name[0] == '\0')
            return *at == '\0';
        at += strlen(units[i].name);
    } while (*at != '\0');
    return true;
}

/* "14:03", "14:03:05.2". */
static bool read_time_of_day(const char *at, double *s)
{
    double part[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        at = read_number(at, &part[i]);
        if (at == NULL || (i < 2 && part[i] != floor(part[i])) || part[i] >= (i == 0 ? 24 : MINUTE_S))
            return false;
        if (*at == '\0' && i > 0)
            break;
        if (*at++ != ':')
            return false;
    }
    *s = part[0] * HOUR_S + part[1] * MINUTE_S + part[2];
    return at[-1] != ':';
}

/* The time of day on that day, in seconds since 1970. */
static double on_day(struct tm day, double of_day_s)
{
    day.tm_hour = day.tm_min = 0;
    day.tm_sec = (int)of_day_s;
    day.tm_isdst = -1;
    return (double)mktime(&day) + (of_day_s - floor(of_day_s));
}

/* "12.5%" */
static bool read_share(const char *at, double *percent)
{
    at = read_number(at, percent);
    return at != NULL && strcmp(at, "%") == 0 && *percent <= 100;
}

/* "2026-11-26T14:03:05". */
static bool read_date(const char *at, double *s)
{
    enum { LENGTH = 10 };
    struct tm day = {0};
    double of_day_s = 0;
    const char *end = strptime(at, "%Y-%m-%d", &day);
    if (end != at + LENGTH || (*end != '\0' && *end != 'T' && *end != ' ') ||
        (*end != '\0' && !read_time_of_day(end + 1, &of_day_s)))
        return false;
    *s = on_day(day, of_day_s);
    return true;
}

static bool read_moment(const char *text, nytp_moment *moment)
{
    *moment = (nytp_moment){NYTP_NO_MOMENT, 0};
    if (*text == '\0')
        return true;
    moment->kind = strchr(text, '%') != NULL   ? NYTP_SHARE
                   : strchr(text, '-') != NULL ? NYTP_DATE
                   : strchr(text, ':') != NULL ? NYTP_TIME_OF_DAY
                                               : NYTP_SINCE_BEGIN;
    return moment->kind == NYTP_SHARE         ? read_share(text, &moment->s)
           : moment->kind == NYTP_DATE        ? read_date(text, &moment->s)
           : moment->kind == NYTP_TIME_OF_DAY ? read_time_of_day(text, &moment->s)
                                              : read_seconds(text, &moment->s);
}

const char *nytp_stretch_read(const char *text, nytp_stretch *stretch)
{
    static const char expected[] = "expected FROM..TO, such as 3s..4.5s, 10%..20%, 14:03:05..14:04 or 2m..";
    const char *dots = strstr(text, "..");
    if (dots == NULL)
        return expected;
    char *from = g_strndup(text, (gsize)(dots - text));
    const bool is_read = read_moment(from, &stretch->from) && read_moment(dots + 2, &stretch->to);
    g_free(from);
    stretch->text = text;
    if (!is_read)
        return expected;
    return stretch->from.kind == stretch->to.kind && stretch->from.kind != NYTP_TIME_OF_DAY &&
                   stretch->from.kind != NYTP_NO_MOMENT && stretch->to.s < stretch->from.s
               ? "it ends before it begins"
               : NULL;
}

bool nytp_stretch_is_given(const nytp_stretch *stretch)
{
    return stretch->from.kind != NYTP_NO_MOMENT || stretch->to.kind != NYTP_NO_MOMENT;
}

bool nytp_is_date(double time_s)
{
    return time_s > DAY_S;
}

bool nytp_stretch_has_shares(const nytp_stretch *stretch)
{
    return stretch->from.kind == NYTP_SHARE || stretch->to.kind == NYTP_SHARE;
}

static void set_length(nytp_moment *moment, double length_s)
{
    if (moment->kind == NYTP_SHARE)
        *moment = (nytp_moment){NYTP_SINCE_BEGIN, moment->s / 100 * length_s};
}

void nytp_stretch_set_length(nytp_stretch *stretch, double length_s)
{
    set_length(&stretch->from, length_s);
    set_length(&stretch->to, length_s);
}

/* That time of day on the day that puts it nearest to the begin. */
static double nearest(double of_day_s, double begin_s)
{
    const time_t whole_s = (time_t)begin_s;
    struct tm day;
    double s = INFINITY;
    if (localtime_r(&whole_s, &day) == NULL)
        return 0;
    day.tm_mday--;
    for (int i = 0; i < 3; i++, day.tm_mday++) {
        const double that_day_s = on_day(day, of_day_s) - begin_s;
        s = fabs(that_day_s) < fabs(s) ? that_day_s : s;
    }
    return s;
}

static double since(const nytp_moment *moment, double begin_s)
{
    return moment->kind == NYTP_SINCE_BEGIN ? moment->s
           : moment->kind == NYTP_DATE      ? moment->s - begin_s
                                            : nearest(moment->s, begin_s);
}

bool nytp_stretch_needs_day(const nytp_stretch *stretch)
{
    return stretch->from.kind > NYTP_SINCE_BEGIN || stretch->to.kind > NYTP_SINCE_BEGIN;
}

bool nytp_stretch_since(const nytp_stretch *stretch, double begin_s, double *from_s, double *to_s)
{
    *from_s = stretch->from.kind == NYTP_NO_MOMENT ? -INFINITY : since(&stretch->from, begin_s);
    *to_s = stretch->to.kind == NYTP_NO_MOMENT ? INFINITY : since(&stretch->to, begin_s);
    if (stretch->to.kind == NYTP_TIME_OF_DAY && *to_s < *from_s)
        *to_s += DAY_S;
    return !nytp_stretch_needs_day(stretch) || nytp_is_date(begin_s);
}
