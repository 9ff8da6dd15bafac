#include "pages.h"

#include "reading.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *file;   /* of the page */
    const char *prefix; /* of the name of a profile */
    const char *title;
} parts[HTML_PARTS] = {{"index.html", "", "Time"},
                       {"peak.html", "peak.", "Peak"},
                       {"live.html", "live.", "Live"},
                       {"alloc.html", "alloc.", "Allocated"}};

const char *html_page_name(enum html_part part)
{
    return parts[part].file;
}

/* Returns the paths of the profiles of a part that are beside the inputs. */
static GPtrArray *files_of(const nytp_operands *inputs, enum html_part part)
{
    GPtrArray *found = g_ptr_array_new_with_free_func(g_free);
    for (int i = 0; i < inputs->count; i++) {
        g_autofree char *directory = g_path_get_dirname(inputs->names[i]),
                        *base = g_path_get_basename(inputs->names[i]);
        g_autofree char *name = g_strconcat(parts[part].prefix, base, NULL);
        char *path =
            strchr(inputs->names[i], '/') != NULL ? g_build_filename(directory, name, NULL) : g_strdup(name);
        if (g_file_test(inputs->names[i], G_FILE_TEST_IS_REGULAR) &&
            g_file_test(path, G_FILE_TEST_IS_REGULAR))
            g_ptr_array_add(found, path);
        else
            g_free(path);
    }
    return found;
}

/* Whether the profiles of time may have such files. Parts of a run that were chosen by time have no memory.
 */
static bool may_have_files(const html_report *time)
{
    return nytp_profile_setting_by_key(time->profile, NYTP_ATTRIBUTE, "heap_files") != NULL &&
           !nytp_options_given("range span slowest no-wait work");
}

bool html_pages_are_there(const html_report *time, const html_options *options)
{
    bool any = false;
    for (enum html_part part = HTML_PEAK; may_have_files(time) && part < HTML_PARTS; part++) {
        g_autoptr(GPtrArray) files = files_of(options->inputs, part);
        any |= files->len > 0;
    }
    return any;
}

static bool has_process(const nytp_profile *profile, const nytp_process *wanted)
{
    const nytp_process *p;
    for (size_t i = 0; (p = nytp_profile_process(profile, i)) != NULL; i++)
        if (p->pid == wanted->pid && p->start_s == wanted->start_s)
            return true;
    return false;
}

/* Whether all processes of a profile of memory are in the profile of time. */
static bool is_of_run(const html_report *memory, const html_report *time)
{
    const nytp_process *p;
    size_t count = 0;
    for (; (p = nytp_profile_process(memory->profile, count)) != NULL; count++)
        if (!has_process(time->profile, p))
            return false;
    return count > 0 && nytp_measure_is_bytes(&memory->measure);
}

static html_options options_of(const html_options *options, const nytp_operands *inputs)
{
    html_options of_page = *options;
    of_page.inputs = inputs;
    return of_page;
}

static nytp_operands inputs_of(const html_page *page)
{
    return (nytp_operands){(const char *const *)page->inputs->pdata, (int)page->inputs->len};
}

static void read_page(html_page *page, const html_report *time, const html_options *options,
                      const nytp_common_options *common)
{
    const nytp_operands inputs = inputs_of(page);
    const html_options of_page = options_of(options, &inputs);
    nytp_read_begin_set();
    page->report = html_read_report(&of_page, common);
    if (page->report == NULL || is_of_run(page->report, time))
        return;
    nytp_say("warning: %s: is not a profile of memory of the same processes, so there is no page of it",
             inputs.names[0]);
    g_clear_pointer(&page->report, html_report_free);
}

void html_pages_read(html_pages *pages, const html_options *options, const nytp_common_options *common)
{
    const html_report *time = pages->of[HTML_TIME].report;
    for (enum html_part part = HTML_PEAK; may_have_files(time) && part < HTML_PARTS; part++) {
        html_page *page = &pages->of[part];
        page->inputs = files_of(options->inputs, part);
        if (page->inputs->len > 0)
            read_page(page, time, options, common);
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
    const nytp_operands inputs = page->inputs != NULL ? inputs_of(page) : *options->inputs;
    const html_options of_page = options_of(options, &inputs);
    FILE *out = nytp_outdir_file(dir, parts[part].file);
    if (out != NULL)
        html_page_write(page->report, &of_page, links, out);
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
    for (enum html_part part = HTML_TIME; part < HTML_PARTS; part++) {
        html_report_free(pages->of[part].report);
        if (pages->of[part].inputs != NULL)
            g_ptr_array_unref(pages->of[part].inputs);
    }
}
