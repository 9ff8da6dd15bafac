#include "session/heapfiles.h"

#include "base/newfile.h"
#include "base/order.h"
#include "base/str.h"
#include "basics/alloc.h"
#include "format/writer.h"
#include "heap/callers.h"
#include "heap/heap.h"
#include "heap/threads.h"
#include "hot.h"
#include "output/outfile.h"

#include <stdio.h>
#include <unistd.h>

/* ---- what a context has allocated, in the order in which it is written */

/* The calls that do not belong to an arc are made by main::RUNTIME. */
static prof_heap_call call_of(const prof_heap_view *v, prof *p, uint32_t node)
{
    const prof_heap_node *n = &v->heap.nodes[node];
    prof_heap_call c = {.node = node, .parent = n->parent, .fid = v->unknown_fid, .line = 1};
    if (n->arc == PROF_HEAP_OUTSIDE || n->arc == PROF_HEAP_DEEPER) {
        c.caller = prof_sub_named(p, "main::RUNTIME", 4);
        c.callee = prof_sub_named(p, n->arc == PROF_HEAP_OUTSIDE ? "(no perl)" : "(deeper)", 0);
    } else {
        const prof_arc *a = &p->arcs.at[n->arc];
        c.caller = a->caller;
        c.callee = a->callee;
        c.line = a->line;
        c.fid = a->fid != 0 ? a->fid : v->unknown_fid;
    }
    return c;
}

static int compare_calls(const void *a_, const void *b_)
{
    const prof_heap_call *a = a_, *b = b_;
    const int order = nytp_order2(NYTP_ORDER(a->parent, b->parent), nytp_str_order(a->name, b->name));
    return nytp_order4(order, NYTP_ORDER(a->fid, b->fid), NYTP_ORDER(a->line, b->line),
                       NYTP_ORDER(a->node, b->node));
}

/* The names of subs are looked up when all subs are there, because new ones move the others. */
static void order_calls(prof_heap_view *v, prof *p)
{
    const uint32_t count = v->heap.node_count;
    prof_heap_call *sorted = prof_alloc(count * sizeof *sorted);
    v->calls = prof_alloc(count * sizeof *v->calls);
    v->order = prof_alloc(count * sizeof *v->order);
    v->first = prof_alloc((count + 1) * sizeof *v->first);
    for (uint32_t n = 1; n < count; n++)
        sorted[n - 1] = call_of(v, p, n);
    for (uint32_t n = 0; n + 1 < count; n++)
        sorted[n].name = prof_sub_name(&p->subs, sorted[n].callee);
    for (uint32_t n = 0; n + 1 < count; n++)
        v->calls[sorted[n].node] = sorted[n];
    if (count > 1)
        qsort(sorted, count - 1, sizeof *sorted, compare_calls);
    for (uint32_t n = 0; n + 1 < count; n++) {
        v->order[n] = sorted[n].node;
        v->first[sorted[n].parent + 1]++;
    }
    for (uint32_t n = 0; n < count; n++)
        v->first[n + 1] += v->first[n];
    free(sorted);
}

static int compare_sites(const void *a_, const void *b_)
{
    const prof_heap_written *a = a_, *b = b_;
    return nytp_order4(NYTP_ORDER(a->of->node, b->of->node), NYTP_ORDER(a->fid, b->fid),
                       NYTP_ORDER(a->of->place.line, b->of->place.line), strcmp(a->kind, b->kind));
}

/* Returns 0 if the file is not known. */
static uint32_t fid_of(pTHX_ prof *p, prof_heap_place place, bool perl_lives)
{
    const char *name = place.file > 0 ? prof_samples_file(place.file) : NULL;
    if (name == NULL)
        return 0;
    return perl_lives ? prof_fid(aTHX_ p, name, strlen(name), NYTP_FID_VIA_STMT)
                      : prof_fid_if_known(&p->files, name, strlen(name));
}

static void order_sites(pTHX_ prof_heap_view *v, prof *p, bool perl_lives)
{
    const uint32_t count = v->heap.site_count;
    v->sites = prof_alloc(count * sizeof *v->sites);
    v->first_site = prof_alloc((v->heap.node_count + 1) * sizeof *v->first_site);
    for (uint32_t n = 0; n < count; n++) {
        const prof_heap_site *s = &v->heap.sites[n];
        v->sites[n] =
            (prof_heap_written){s, fid_of(aTHX_ p, s->place, perl_lives), prof_callers_kind_name(s->kind)};
        v->first_site[s->node + 1]++;
    }
    v->unknown_fid = prof_file_count(&p->files) + 1;
    for (uint32_t n = 0; n < count; n++)
        if (v->sites[n].fid == 0)
            v->sites[n].fid = v->unknown_fid;
    for (uint32_t n = 0; n < v->heap.node_count; n++)
        v->first_site[n + 1] += v->first_site[n];
    qsort(v->sites, count, sizeof *v->sites, compare_sites);
}

prof_heap_view *prof_heap_view_new(pTHX_ prof *p, bool perl_lives)
{
    prof_heap_view *v = prof_alloc(sizeof *v);
    v->peak_bytes = prof_samples_snapshot(p, &v->heap);
    v->has_ended = v->heap.has_end && (p->heap.is_over || !perl_lives || PL_phase >= PERL_PHASE_END);
    if (!v->has_ended && perl_lives)
        v->heap.values = prof_heap_values(aTHX);
    order_sites(aTHX_ v, p, perl_lives);
    order_calls(v, p);
    return v;
}

void prof_heap_view_free(prof_heap_view *view)
{
    prof_heap_free(&view->heap);
    free(view->calls);
    free(view->order);
    free(view->first);
    free(view->sites);
    free(view->first_site);
    free(view);
}

/* ---- files */

/* Returns FILE with text before its last part; the caller must free() it. */
static char *path_with(const char *file, const char *text)
{
    const char *slash = strrchr(file, '/');
    const size_t directory = slash != NULL ? (size_t)(slash + 1 - file) : 0,
                 size = strlen(file) + strlen(text) + 1;
    char *path = prof_alloc(size);
    my_snprintf(path, size, "%.*s%s%s", (int)directory, file, text, file + directory);
    return path;
}

static int write_bytes(void *file, const void *data, size_t size)
{
    return prof_outfile_write(file, data, size);
}

/* Returns what prof_heap_profile_write() does. */
static int write_part(prof *p, const prof_heap_view *view, prof_heap_part part, prof_outfile *file,
                      double end_s)
{
    enum { LEVEL = 1 };
    nytp_writer *writer = nytp_writer_new(nytp_sink_callback(write_bytes, file, file->path), LEVEL);
    if (writer == NULL)
        return NYTP_ERR_MEMORY;
    const int rc = prof_heap_profile_write(p, view, part, writer, end_s);
    if (rc < 0)
        prof_say(&p->messages, "%s; no profile of memory", nytp_writer_error(writer)->message);
    nytp_writer_free(writer);
    return rc;
}

/* Writes the file under another name first, so that it is there as a whole or not at all. */
static bool write_as(prof *p, const prof_heap_view *view, prof_heap_part part, const char *path, double end_s)
{
    prof_outfile file;
    const char *why;
    char *temporary = path_with(path, "tmp.");
    bool done = false;
    if (!prof_outfile_open(&file, temporary, &why)) {
        prof_say(&p->messages, "cannot write %s: %s; no profile of memory", path, why);
    } else {
        done = write_part(p, view, part, &file, end_s) == 0;
        if (done && rename(file.path, path) != 0) {
            prof_say(&p->messages, "cannot write %s: %s; no profile of memory", path, strerror(errno));
            done = false;
        }
        if (!done)
            unlink(file.path);
        prof_outfile_close(&file);
        prof_outfile_free(&file);
    }
    free(temporary);
    return done;
}

static bool write_file(prof *p, const prof_heap_view *view, prof_heap_part part, double end_s)
{
    char start[16];
    my_snprintf(start, sizeof start, "%s.", prof_heap_file_names[part]);
    char *path = path_with(prof_output_path(p->out), start);
    const bool done = write_as(p, view, part, path, end_s);
    free(path);
    return done;
}

static bool write_files(pTHX_ prof *p, double end_s, bool perl_lives, char *names)
{
    prof_heap_view *view = prof_heap_view_new(aTHX_ p, perl_lives);
    names[0] = '\0';
    for (int part = 0; part < PROF_HEAP_FILES; part++) {
        if (!write_file(p, view, (prof_heap_part)part, end_s))
            continue;
        if (names[0] != '\0')
            my_strlcat(names, ",", PROF_HEAP_NAMES_MAX);
        my_strlcat(names, prof_heap_file_names[part], PROF_HEAP_NAMES_MAX);
    }
    prof_heap_view_free(view);
    return names[0] != '\0';
}

bool prof_heap_files_write(pTHX_ prof *p, double end_s, bool perl_lives, char names[PROF_HEAP_NAMES_MAX])
{
    if (nytp_newfile_is_device(prof_output_path(p->out)))
        return false;
    const prof_heap_quiet was = prof_heap_pause();
    prof_memory_release();
    const bool any = write_files(aTHX_ p, end_s, perl_lives, names);
    prof_memory_reserve(2);
    prof_heap_go_on(&was);
    return any;
}

bool prof_heap_snapshot_write(pTHX_ prof *p, const char *path, double now_s)
{
    const char *why = nytp_newfile_is_device(path)    ? "not a regular file"
                      : nytp_newfile_is_written(path) ? "a profile is being written there"
                                                      : NULL;
    if (why != NULL) {
        prof_say(&p->messages, "cannot write %s: %s; no profile of memory", path, why);
        return false;
    }
    const prof_heap_quiet was = prof_heap_pause();
    prof_heap_view *view = prof_heap_view_new(aTHX_ p, true);
    view->has_ended = false; /* what is live now, also in END blocks */
    view->heap.values = prof_heap_values(aTHX);
    const bool done = write_as(p, view, PROF_HEAP_LIVE, path, now_s);
    prof_heap_view_free(view);
    prof_heap_go_on(&was);
    return done;
}
