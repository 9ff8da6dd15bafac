#include "cli/read.h"

#include "base/time_ns.h"
#include "cli/say.h"
#include "model/display.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CLEAR_LINE "\r\033[K"
/* A line that is too long for the terminal must not continue on the next one, where it would stay. */
#define WRAP_OFF "\033[?7l"
#define WRAP_ON  "\033[?7h"

void nytp_progress_begin(nytp_progress_line *line, const char *name)
{
    line->name = nytp_is_terminal(STDERR_FILENO) ? name : NULL;
    line->started_s = line->shown_s = nytp_time_s(CLOCK_MONOTONIC);
    line->shown = false;
}

void nytp_progress_show(nytp_progress_line *line, uint64_t read_bytes, uint64_t size_bytes)
{
    enum { MIB = 1 << 20 };
    const double first_s = 1, interval_s = 0.2;
    if (line->name == NULL)
        return;
    double now = nytp_time_s(CLOCK_MONOTONIC);
    if (now - line->shown_s < (line->shown ? interval_s : first_s))
        return;
    double rate = (double)read_bytes / (now - line->started_s);
    fprintf(stderr, CLEAR_LINE WRAP_OFF "%s: %.1f MiB, %.1f MiB/s", nytp_name(), (double)read_bytes / MIB,
            rate / MIB);
    if (size_bytes > read_bytes && rate > 0) /* a file that grows may be longer than its size was */
        fprintf(stderr, ", %.0f%%, %.0f s left", 100.0 * (double)read_bytes / (double)size_bytes,
                (double)(size_bytes - read_bytes) / rate);
    char *shown = nytp_line_clean(line->name);
    fprintf(stderr, ": %s" WRAP_ON, shown);
    free(shown);
    line->shown_s = now;
    line->shown = true;
}

void nytp_progress_end(const nytp_progress_line *line)
{
    if (line->shown)
        fputs(CLEAR_LINE, stderr);
}
