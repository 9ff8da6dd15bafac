#include "cli/coverage.h"

#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ONE_FILE "nytcover.out"

typedef struct reading {
    nytp_cover *all, *one; /* one: the recording that is read, by itself; NULL if nobody asks for it */
} reading;

static int read_some(void *context, nytp_reader *reader)
{
    const reading *r = context;
    nytp_chunk chunk;
    int rc;
    while ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK) {
        nytp_cover_add(r->all, &chunk);
        if (r->one != NULL)
            nytp_cover_add(r->one, &chunk);
    }
    return rc;
}

static bool end_recording(void *context)
{
    const reading *r = context;
    nytp_cover_end_recording(r->all);
    if (r->one != NULL)
        nytp_cover_end_recording(r->one);
    return true;
}

/* Returns false after saying what is wrong. */
static bool read_recording(reading *r, const char *path, const nytp_common_options *common)
{
    const nytp_read_handler handler = {
        .tags = nytp_cover_tags(), .read_some = read_some, .end_profile = end_recording, .context = r};
    const uint32_t before = nytp_cover_recordings(r->all);
    if (nytp_read(path, common, &handler) < 0)
        return false;
    const char *why = nytp_cover_error(r->all);
    if (why != NULL)
        nytp_say("%s: %s", path, why);
    else if (nytp_cover_recordings(r->all) == before)
        nytp_say("warning: %s has no coverage (perl -MDevel::NYTProf::Cover PROGRAM records it)", path);
    return why == NULL;
}

/* Adds the files of a directory. Returns false after saying why not. */
static bool list_directory(GPtrArray *paths, const char *path)
{
    if (access(path, R_OK) != 0) {
        nytp_say("%s: cannot open: %s", path, strerror(errno));
        return false;
    }
    g_ptr_array_extend_and_steal(paths, nytp_directory_list(path, ""));
    return true;
}

static bool list_operand(GPtrArray *paths, const char *path)
{
    if (g_file_test(path, G_FILE_TEST_IS_DIR))
        return list_directory(paths, path);
    if (g_file_test(path, G_FILE_TEST_EXISTS)) {
        g_ptr_array_add(paths, g_strdup(path));
        return true;
    }
    nytp_say("%s: there is neither such a recording nor such a command", path);
    return false;
}

/* What the last run in this directory has left. */
static bool list_last(GPtrArray *paths)
{
    if (g_file_test(NYTP_COVERAGE_DIRECTORY, G_FILE_TEST_IS_DIR))
        return list_directory(paths, NYTP_COVERAGE_DIRECTORY);
    if (g_file_test(ONE_FILE, G_FILE_TEST_EXISTS))
        return list_operand(paths, ONE_FILE);
    nytp_say("there is neither " NYTP_COVERAGE_DIRECTORY "/ nor " ONE_FILE
             " here; nytp cover COMMAND makes one");
    return false;
}

GPtrArray *nytp_coverage_list(const nytp_operands *operands)
{
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    bool done = operands->count > 0 || list_last(paths);
    for (int i = 0; i < operands->count && done; i++)
        done = list_operand(paths, operands->names[i]);
    if (done)
        return paths;
    g_ptr_array_unref(paths);
    return NULL;
}

static void say_comment(void *context, const nytp_cover_file *file, uint32_t line, const char *criterion,
                        const char *what)
{
    (void)context;
    nytp_say("warning: %s:%u: the %s that is marked as uncoverable %s", file->name, line, criterion, what);
}

/* Lines and texts of the source would not go together with what was recorded. */
static void warn_of_change(const nytp_cover_file *f)
{
    struct stat now;
    if (stat(f->path, &now) == 0 && (f->size != (uint32_t)now.st_size || f->mtime != (uint32_t)now.st_mtime))
        nytp_say("warning: %s has changed since it ran: lines may be others now", f->name);
}

/* Leaves out what comments excuse. A source that is gone excuses nothing. */
static void read_sources(const GPtrArray *files)
{
    for (guint i = 0; i < files->len; i++) {
        nytp_cover_file *f = files->pdata[i];
        g_autofree char *source = NULL;
        if (f->is_eval || !g_file_get_contents(f->path, &source, NULL, NULL))
            continue;
        warn_of_change(f);
        nytp_cover_excuse(f, source, say_comment, NULL);
    }
}

static void say_nothing(const nytp_cover *cover)
{
    if (nytp_cover_recordings(cover) == 0)
        nytp_say("nothing was recorded: no perl has loaded Devel::NYTProf::Cover. perl -T ignores PERL5OPT, "
                 "a program may "
                 "set another one, and HARNESS_PERL_SWITCHES reaches the tests of prove alone");
    else
        nytp_say("nothing was recorded: before its end, %s compiled code below its directory (cover_dir), "
                 "outside of t/, xt/, "
                 "inc/ and local/",
                 nytp_cover_recordings(cover) == 1 ? "the process has not" : "no process has");
}

nytp_cover *nytp_coverage_read(const GPtrArray *paths, const nytp_common_options *common,
                               nytp_coverage_fn *each, void *context)
{
    reading r = {.all = nytp_cover_new()};
    bool done = true;
    for (guint i = 0; i < paths->len && done; i++) {
        r.one = each != NULL ? nytp_cover_new() : NULL;
        done = read_recording(&r, paths->pdata[i], common);
        if (done && each != NULL)
            each(context, r.one);
        nytp_cover_free(r.one);
    }
    if (done && nytp_cover_files(r.all)->len > 0) {
        read_sources(nytp_cover_files(r.all));
        return r.all;
    }
    if (done)
        say_nothing(r.all);
    nytp_cover_free(r.all);
    return NULL;
}
