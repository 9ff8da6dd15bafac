/* What the profile model's files share and nobody outside them sees. */
#ifndef NYTP_MODEL_H
#define NYTP_MODEL_H

#include "names.h"
#include "nytprof.h"

#include <glib.h>

/* ---- statements of a file, by line (lines.c) ---- */

/* Files have holes: a #line directive may jump to 5000000. So lines live in
 * small pages; those that are near the top hang in an array, the others in a tree. */
enum { LINES_PER_PAGE = 8, NEAR_PAGES = 8192 };

typedef struct line_sum {
    uint64_t count; /* executions */
    int64_t ticks;
} line_sum;

typedef struct page {
    line_sum lines[LINES_PER_PAGE];
} page;

typedef struct nytp_lines {
    page **near; /* by page number; NULL where there is none */
    uint32_t near_count;
    uint32_t far_number; /* the far page found last */
    page *far_page;
    GTree *far; /* page number to page; NULL: none */
} nytp_lines;

void nytp_lines_clear(nytp_lines *lines);

/* The page with that number, which is made if need be. */
page *nytp_lines_page(nytp_lines *lines, uint32_t number);

static inline line_sum *nytp_lines_at(nytp_lines *lines, uint32_t line)
{
    uint32_t number = line / LINES_PER_PAGE;
    page *p = number < lines->near_count ? lines->near[number] : NULL;
    if (p == NULL)
        p = nytp_lines_page(lines, number);
    return &p->lines[line % LINES_PER_PAGE];
}

/* The first line from *from on that ran; moves *from behind it. */
bool nytp_lines_next(const nytp_lines *lines, uint64_t *from, nytp_line *line);

/* ---- files ---- */

typedef struct file {
    nytp_file shown;
    char *name;
    nytp_lines lines;
} file;

/* ---- subs and arcs (subs.c) ---- */

typedef struct sub_entry {
    bool is_xsub;
    GArray *ranges; /* nytp_range, sorted; NULL: none */
} sub_entry;

typedef struct nytp_subs {
    nytp_names *names;  /* a sub's number is that of its name */
    GArray *entries;    /* sub_entry */
    GPtrArray *arcs;    /* nytp_arc * */
    GHashTable *arc_of; /* nytp_arc *, equal by caller, callee and place, to itself */
} nytp_subs;

void nytp_subs_init(nytp_subs *subs);
void nytp_subs_clear(nytp_subs *subs);
uint32_t nytp_subs_number(nytp_subs *subs, nytp_str name);
void nytp_subs_mark_xsub(nytp_subs *subs, uint32_t number);
void nytp_subs_add_range(nytp_subs *subs, uint32_t number, nytp_range range);
void nytp_subs_add_arc(nytp_subs *subs, const nytp_arc *arc);

/* ---- the profile (profile.c) ---- */

/* Statements come by the ten million, from some hundred lines over and over. They
 * are summed here first, in one place of memory for each, and carried over to their
 * pages when another line needs the place, or somebody wants to know. */
enum { HOT_LINES = 2048 };

typedef struct hot_line {
    uint64_t place;     /* fid and line */
    line_sum *page_sum; /* NULL: nobody has the place */
    line_sum since;     /* not carried over yet */
} hot_line;

typedef struct hot_lines {
    bool any;
    hot_line at[HOT_LINES];
} hot_lines;

/* After it all is in the pages, and no place is taken. */
void nytp_profile_carry_over(const nytp_profile *profile);

struct nytp_profile {
    double ticks_per_sec;
    bool discount; /* of the next TIME chunk */
    hot_lines *hot;
    GPtrArray *files;  /* file *, by number */
    file **near_files; /* by fid */
    uint32_t near_count;
    GHashTable *far_files; /* fid to file *: fids beyond near_files */
    nytp_subs subs;
    GArray *settings;            /* nytp_setting */
    GHashTable *setting_numbers; /* tag and key, as GBytes, to index + 1 */
    GArray *processes;           /* nytp_process */
    GHashTable *open;    /* pid to the number + 1 of its process that began last, of those not ended */
    GArray *open_before; /* by a process's number: that of the one before it with its pid, or 0 */
};

/* The file with that fid, which is made if need be. */
file *nytp_profile_file_for(nytp_profile *profile, uint32_t fid);
file *nytp_profile_find_file(const nytp_profile *profile, uint32_t fid);

/* a + b, or the limit that it would pass: damaged profiles must not wrap round. */
static inline int64_t nytp_add_ticks(int64_t a, int64_t b)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return a < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

#endif
