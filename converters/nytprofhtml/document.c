#include "pages.h"

#include "core.h"
#include "overview.h"
#include "text.h"

#include <string.h>

/* One byte of that many may say which process it is, when there was how much memory, when it was, and in
 * which request. */
enum { BYTES_FOR_PROCESSES = 5, BYTES_FOR_MEMORY = 5, BYTES_FOR_SLICES = 10, BYTES_FOR_REQUESTS = 20 };

/* The policy allows our script by its hash, and nothing else: whatever a profile managed to inject would not
 * run. */
static void put_policy(const char *hash, FILE *out)
{
    fprintf(out,
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "script-src 'sha256-%s'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
            "form-action 'none'\">\n",
            hash);
}

static void put_head(const html_report *r, const html_options *o, FILE *out)
{
    const bool is_memory = nytp_measure_is_bytes(&r->measure);
    g_autofree char *title = html_overview_title(r, o);
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", out);
    put_policy(r->history != NULL ? html_page_memory_hash : html_page_hash, out);
    html_put(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<meta name=\"color-scheme\" content=\"light dark\">\n"
                  "<meta name=\"generator\" content=\"nytprofhtml " NYTP_VERSION_STRING "\">\n");
    html_put(out, "<title>%s%s%s - Perl profile</title>\n<style>\n", title, is_memory ? ", " : "",
             is_memory ? nytp_memory_in_words(r->memory.of) : "");
    fputs(html_page_style, out);
    fputs("</style>\n</head>\n", out);
}

void html_page_write(const html_report *report, const html_options *options, FILE *out)
{
    /* A report without memory over time has no script of it. */
    const char *memory_script = report->history != NULL ? html_page_memory_script : "";
    put_head(report, options, out);
    fputs("<body>\n<header id=\"bar\"></header>\n<main id=\"view\" tabindex=\"-1\">\n"
          "<div id=\"time-strip\" role=\"group\" aria-label=\"Range of time\" hidden></div>\n"
          "<div id=\"selection\" hidden></div>\n<div id=\"stage\" hidden></div>\n",
          out);
    html_overview_write(report, options, out);
    fputs("<noscript><p class=\"banner\">This is the overview. Source, all subs and the other views need "
          "JavaScript, "
          "which is off here.</p></noscript>\n</main>\n<div id=\"extras\"></div>\n",
          out);
    size_t bytes = strlen(html_page_script) + strlen(memory_script) + strlen(html_page_style);
    html_pack *pack = html_source_end(report->source);
    html_areas *areas = html_areas_new(report);
    html_core_add(report, areas, options, pack);
    const bool any_durations = html_durations_add(report, pack),
               any_requests = html_requests_add(report, pack);
    bytes += html_source_write(report->source, out);
    bytes += html_pack_write(pack, "core", out);
    if (any_durations)
        bytes += html_pack_write(pack, "durations", out);
    if (any_requests)
        bytes += html_pack_write(pack, "requests", out);
    html_slices_write(report, areas, pack, bytes / BYTES_FOR_SLICES, out);
    html_areas_free(areas);
    html_memory_write(report, pack, bytes / BYTES_FOR_MEMORY, out);
    if (any_requests)
        html_request_trees_write(report, pack, bytes / BYTES_FOR_REQUESTS, out);
    html_process_stacks_write(report, pack, bytes / BYTES_FOR_PROCESSES, out);
    fprintf(out, "<script>%s%s%s</script>\n</body>\n</html>\n", html_page_script, memory_script,
            html_page_script_end);
}
