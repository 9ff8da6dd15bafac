#include "pages.h"

#include "reading.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "model/profile.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *file; /* of the page */
    const char *title;
    enum nytp_memory_of memory;
} parts[HTML_PARTS] = {{"index.html", "Time", 0},
                       {"peak.html", "Peak", NYTP_MEMORY_PEAK},
                       {"live.html", "Live", NYTP_MEMORY_LIVE},
                       {"alloc.html", "Allocated", NYTP_MEMORY_ALLOC},
                       {"held.html", "Held", NYTP_MEMORY_HELD}};

const char *html_page_name(enum html_part part)
{
    return parts[part].file;
}

/* Parts of a run that were chosen by time have no memory. */
bool html_pages_are_there(const html_report *time)
{
    return nytp_profile_has_heap_records(time->profile) &&
           !nytp_options_given("range span slowest no-wait work");
}

void html_pages_read(html_pages *pages, const html_options *options, const nytp_common_options *common)
{
    nytp_common_options of_memory = *common;
    of_memory.memory.is_given = true;
    for (enum html_part part = HTML_PEAK; part < HTML_PARTS; part++) {
        if (part == HTML_HELD && !nytp_profile_has_heap_holders(pages->of[HTML_TIME].report->profile))
            continue;
        of_memory.memory.view = nytp_memory_view_of(parts[part].memory);
        nytp_read_begin_set();
        pages->of[part].report = html_read_report(options, &of_memory);
    }
}

/* Links to all pages, for the top of one of them. */
static char *links_of(const html_pages *pages, enum html_part here)
{
    GString *links = g_string_new("<nav id=\"pages\" aria-label=\"Pages of this run\">\n");
    for (enum html_part part = HTML_TIME; part < HTML_PARTS; part++)
        if (pages->of[part].report != NULL)
            g_string_append_printf(links, "<a href=\"%s\"%s>%s</a>\n", parts[part].file,
                                   part == here ? " aria-current=\"page\"" : "", parts[part].title);
    g_string_append(links, "</nav>\n");
    return g_string_free(links, FALSE);
}

static bool write_page(const html_pages *pages, enum html_part part, const html_options *options,
                       nytp_outdir *dir)
{
    const html_page *page = &pages->of[part];
    g_autofree char *links = links_of(pages, part);
    FILE *out = nytp_outdir_file(dir, parts[part].file);
    if (out != NULL)
        html_page_write(page->report, options, links, out);
    return out != NULL;
}

int html_pages_write(const html_pages *pages, const html_options *options, const char *directory)
{
    nytp_outdir *dir = nytp_outdir_open(directory);
    bool done = dir != NULL;
    for (enum html_part part = HTML_TIME; done && part < HTML_PARTS; part++)
        if (pages->of[part].report != NULL)
            done = write_page(pages, part, options, dir);
    if (dir != NULL && !done)
        nytp_outdir_discard(dir);
    return done ? nytp_outdir_commit(dir) : -1;
}

int html_pages_remove_old(const html_pages *pages, const char *directory)
{
    for (enum html_part part = HTML_PEAK; part < HTML_PARTS; part++) {
        g_autofree char *path = g_build_filename(directory, parts[part].file, NULL);
        if (pages->of[part].report != NULL || !nytp_file_mentions(path, HTML_LINKED_MARK))
            continue;
        if (unlink(path) != 0) {
            nytp_say("%s: cannot remove it: %s", path, strerror(errno));
            return -1;
        }
    }
    return 0;
}

void html_pages_clear(html_pages *pages)
{
    for (enum html_part part = HTML_TIME; part < HTML_PARTS; part++)
        html_report_free(pages->of[part].report);
}
