#include "progress.h"

#include "cli/say.h"

#include <stdio.h>
#include <unistd.h>

void record_progress_begin(record_progress *p)
{
    *p = (record_progress){.on_terminal = nytp_is_terminal(STDERR_FILENO)};
}

void record_progress_show(record_progress *p, const record_family *family, double seconds)
{
    if (!p->on_terminal)
        return;
    record_counts counts = record_family_counts(family);
    fprintf(stderr, "\r%s: %.0f s, %s, %llu torn, %s\033[K", nytp_name(), seconds,
            nytp_counted(counts.samples, "sample").text, (unsigned long long)counts.torn,
            nytp_counted(record_family_count(family), "perl").text);
    fflush(stderr);
    p->shown = true;
}

void record_progress_end(record_progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
    p->shown = false;
}

void record_progress_sum(const record_counts *counts, size_t processes, const char *file, double seconds)
{
    char more[64] = "", lost[64] = "";
    if (processes > 1)
        snprintf(more, sizeof more, " and %zu more with .PID appended", processes - 1);
    if (counts->lost_s >= 0.1)
        snprintf(lost, sizeof lost, ", %.1f s lost", counts->lost_s);
    nytp_say("%s in %.1f s, %llu torn%s: %s%s", nytp_counted(counts->samples, "sample").text, seconds,
             (unsigned long long)counts->torn, lost, file, more);
}
