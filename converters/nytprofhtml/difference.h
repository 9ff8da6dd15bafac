/* What changed from OLD to NEW, by the subs and files of the report, which is that of NEW's first profile. */
#ifndef HTML_DIFFERENCE_H
#define HTML_DIFFERENCE_H

#include "line_changes.h"
#include "report.h"
#include "options.h"

/* What of a sub or file changed. Times are ticks of the report; of samples, shares of its time in ticks. */
enum html_changed { HTML_SELF, HTML_INCL, HTML_COUNT, HTML_CHANGED };
typedef struct html_change {
    int64_t number; /* in the report; -1: a file that only OLD has */
    char *name;     /* of such a file, to be shown; otherwise NULL */
    double value[HTML_CHANGED][NYTP_SIDES];
    enum nytp_verdict verdict[HTML_CHANGED];
} html_change;

struct html_difference {
    const nytp_operands *sides; /* the profiles as they were named */
    size_t runs[NYTP_SIDES];
    bool by_share;
    double whole[NYTP_SIDES]; /* ticks of the report */
    enum nytp_verdict verdict;
    GArray *subs, *files; /* html_change */
    GArray *lines;        /* html_line_change */
    GHashTable
        *old_text; /* of OLD's first profile, by fid: GPtrArray of char *, by line; empty with --no-source */
    GArray *old_stacks; /* html_stack: those of OLD's first profile */
};

/* Reads OLD, and NEW but for its first profile, of which the report is and whose source options->hashes has.
 * Subs that only OLD has become subs of the report. Returns NULL after saying why the two cannot be compared.
 */
html_difference *html_difference_read(html_report *report, const nytp_operands sides[NYTP_SIDES],
                                      const nytp_common_options *common, const html_options *options);

/* Returns the text of a line that only OLD has, to be shown; "" if there is none. */
const char *html_difference_old_text(const html_difference *difference, const html_line_change *line);

void html_difference_free(html_difference *difference); /* NULL is fine */

#endif
