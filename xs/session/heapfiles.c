#include "session/heapfiles.h"

#include "base/newfile.h"
#include "basics/alloc.h"
#include "context.h"
#include "format/writer.h"
#include "heap/heap.h"
#include "output/outfile.h"

#include <stdio.h>
#include <unistd.h>

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
    my_snprintf(start, sizeof start, "%s.", prof_heap_part_names[part]);
    char *path = path_with(prof_output_path(p->out), start);
    const bool done = write_as(p, view, part, path, end_s);
    free(path);
    return done;
}

static bool write_files(pTHX_ prof *p, double end_s, bool perl_lives, char *names)
{
    prof_heap_view *view = prof_heap_view_new(aTHX_ p, perl_lives);
    names[0] = '\0';
    for (int part = 0; part < PROF_HEAP_PARTS; part++) {
        if (!write_file(p, view, (prof_heap_part)part, end_s))
            continue;
        if (names[0] != '\0')
            my_strlcat(names, ",", PROF_HEAP_NAMES_MAX);
        my_strlcat(names, prof_heap_part_names[part], PROF_HEAP_NAMES_MAX);
    }
    prof_heap_view_free(view);
    return names[0] != '\0';
}

bool prof_heap_files_write(pTHX_ prof *p, double end_s, bool perl_lives, char names[PROF_HEAP_NAMES_MAX])
{
    if (nytp_newfile_is_device(prof_output_path(p->out)))
        return false;
    const prof_samples_quiet was = prof_samples_pause();
    prof_memory_release();
    const bool any = write_files(aTHX_ p, end_s, perl_lives, names);
    prof_memory_reserve(2);
    prof_samples_go_on(&was);
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
    const prof_samples_quiet was = prof_samples_pause();
    prof_heap_view *view = prof_heap_view_new(aTHX_ p, true);
    view->has_ended = false; /* what is live now, also in END blocks */
    view->heap.values = prof_heap_values(aTHX);
    const bool done = write_as(p, view, PROF_HEAP_LIVE, path, now_s);
    prof_heap_view_free(view);
    prof_samples_go_on(&was);
    return done;
}
