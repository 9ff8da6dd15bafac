#include "cli/output.h"

#include "bytes/deflate.h"
#include "cli/say.h"
#include "base/newfile.h"
#include "base/str.h"
#include "export/amount.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct nytp_output {
    FILE *stream;
    FILE *filter;    /* writes into stream, compressed or counted; NULL if none */
    char *path;      /* NULL: standard output */
    char *temporary; /* NULL: path is a device or a pipe, and is written in place */
};

/* Says that path cannot be written, and why. Frees o. Returns NULL. */
static nytp_output *fail(nytp_output *o, const char *path, const char *why)
{
    nytp_say("%s: cannot write: %s", path, why);
    nytp_output_discard(o);
    return NULL;
}

static nytp_output *fail_temporary(nytp_output *o)
{
    const char *slash = strrchr(o->path, '/');
    const int length = slash == NULL || slash == o->path ? 1 : (int)(slash - o->path);
    nytp_say("%s: cannot create a temporary file in %.*s: %s", o->path, length, slash != NULL ? o->path : ".",
             strerror(errno));
    nytp_output_discard(o);
    return NULL;
}

/* Opens the temporary file. old: the file at path; NULL if none. */
static nytp_output *open_temporary(nytp_output *o, const struct stat *old)
{
    int fd = nytp_tempfile_create(o->path, &o->temporary);
    if (fd < 0)
        return fail_temporary(o);
    if (fchmod(fd, old != NULL ? old->st_mode & 0777 : nytp_new_mode(0666)) != 0 ||
        (o->stream = fdopen(fd, "wb")) == NULL) {
        const char *why = strerror(errno);
        close(fd);
        return fail(o, o->path, why);
    }
    return o;
}

static bool is_standard_output(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0;
}

/* Only a regular file would lose its contents. */
bool nytp_output_refuses(const char *path, const char *name, const struct stat *input)
{
    struct stat out;
    int rc = is_standard_output(path) ? fstat(STDOUT_FILENO, &out) : stat(path, &out);
    if (rc != 0 || !S_ISREG(out.st_mode) || out.st_dev != input->st_dev || out.st_ino != input->st_ino)
        return false;
    nytp_say("%s is the input and the output; name another output with -o", name);
    return true;
}

bool nytp_output_refuses_terminal(const char *path)
{
    if (!is_standard_output(path) || !isatty(STDOUT_FILENO))
        return false;
    nytp_say("the output is binary, not for a terminal: redirect it, or name a file with -o");
    return true;
}

static nytp_output *open_in_place(nytp_output *o)
{
    const char *why;
    int fd = nytp_destination_open(o->path, &why);
    if (fd < 0)
        return fail(o, o->path, why);
    o->stream = fdopen(fd, "wb");
    return o->stream != NULL ? o : fail(o, o->path, strerror(errno));
}

/* Links stay links when the file is replaced that they lead to. */
static nytp_output *open_at(nytp_output *o, const char *path)
{
    struct stat st;
    const char *why;
    o->path = nytp_destination_follow(path, &why);
    if (o->path == NULL)
        return fail(o, path, why);
    bool exists = stat(o->path, &st) == 0;
    if (exists && nytp_destination_is_in_place(o->path))
        return open_in_place(o);
    if ((!exists && errno != ENOENT) || (exists && eaccess(o->path, W_OK) != 0))
        return fail(o, path, strerror(errno));
    return open_temporary(o, exists ? &st : NULL);
}

nytp_output *nytp_output_open(const char *path)
{
    nytp_output *o = calloc(1, sizeof *o);
    if (o == NULL) {
        nytp_say("out of memory");
        return NULL;
    }
    if (is_standard_output(path)) {
        o->stream = stdout;
        return o;
    }
    return open_at(o, path);
}

FILE *nytp_output_stream(nytp_output *output)
{
    return output->filter != NULL ? output->filter : output->stream;
}

FILE *nytp_output_text(nytp_output *output, const nytp_look *look)
{
    if (look->columns > 0)
        output->filter = nytp_lines_open(output->stream, look);
    return nytp_output_stream(output);
}

int nytp_output_compress(nytp_output *output)
{
    output->filter = nytp_gzip_open(output->stream);
    if (output->filter == NULL)
        nytp_say("cannot compress: %s", strerror(errno));
    return output->filter != NULL ? 0 : -1;
}

typedef struct large {
    FILE *to;
    uint64_t bytes;
    uint32_t most_mb;
    const char *advice;
} large;

/* Returns how many bytes were written: fewer than size after an error, whose errno it leaves. */
static ssize_t write_on(void *cookie, const char *data, size_t size)
{
    const uint64_t mb = 1000000;
    large *l = cookie;
    const bool was_large = l->bytes > l->most_mb * mb;
    l->bytes += size;
    if (!was_large && l->bytes > l->most_mb * mb)
        nytp_say("warning: the output is larger than %" PRIu32 " MB; %s", l->most_mb, l->advice);
    return (ssize_t)fwrite(data, 1, size, l->to);
}

static int close_it(void *cookie)
{
    free(cookie);
    return 0;
}

/* Returns a stream that writes into `to`, and says once that the output is large. Returns NULL with errno. */
static FILE *open_large(FILE *to, uint32_t most_mb, const char *advice)
{
    enum { BUFFER_BYTES = 64 << 10 };
    large *l = calloc(1, sizeof *l);
    if (l == NULL)
        return NULL;
    *l = (large){.to = to, .most_mb = most_mb, .advice = advice};
    FILE *stream = fopencookie(l, "wb", (cookie_io_functions_t){.write = write_on, .close = close_it});
    if (stream == NULL)
        free(l);
    else
        setvbuf(stream, NULL, _IOFBF, BUFFER_BYTES);
    return stream;
}

int nytp_output_warn_above(nytp_output *output, uint32_t most_mb, const char *advice)
{
    output->filter = open_large(output->stream, most_mb, advice);
    if (output->filter == NULL)
        nytp_say("cannot write: %s", strerror(errno));
    return output->filter != NULL ? 0 : -1;
}

static void free_output(nytp_output *o)
{
    nytp_tempfile_release();
    free(o->temporary);
    free(o->path);
    free(o);
}

int nytp_output_commit(nytp_output *o)
{
    const char *name = o->path != NULL ? o->path : "standard output";
    bool lost = o->filter != NULL && fclose(o->filter) != 0;
    o->filter = NULL;
    lost |= ferror(o->stream) != 0;
    lost |= fflush(o->stream) != 0;
    if (o->path != NULL)
        lost |= fclose(o->stream) != 0;
    o->stream = NULL;
    if (!lost && o->temporary != NULL)
        lost = rename(o->temporary, o->path) != 0;
    if (lost) {
        fail(o, name, strerror(errno));
        return -1;
    }
    free_output(o);
    return 0;
}

void nytp_output_discard(nytp_output *o)
{
    if (o->filter != NULL)
        fclose(o->filter);
    if (o->stream != NULL && o->path != NULL)
        fclose(o->stream);
    if (o->temporary != NULL)
        unlink(o->temporary);
    free_output(o);
}

int nytp_output_end(nytp_output *output, int error_number)
{
    if (error_number == 0)
        return nytp_output_commit(output);
    nytp_say(NYTP_UNNAMED_FILE_FAILED, strerror(error_number));
    nytp_output_discard(output);
    return -1;
}

void nytp_say_written(const char *path, const char *next)
{
    struct stat there;
    if (is_standard_output(path) || !nytp_is_terminal(STDERR_FILENO) || stat(path, &there) != 0)
        return;
    nytp_measure bytes = nytp_measure_new();
    nytp_measure_note(&bytes, nytp_str_of("unit"), nytp_str_of("bytes"));
    if (S_ISREG(there.st_mode))
        nytp_say("%s, %s (%s)", path, nytp_amount_measured(&bytes, (double)there.st_size).text, next);
    else if (S_ISDIR(there.st_mode))
        nytp_say("%s (%s)", path, next);
}

int nytp_exit_written(bool done, const char *path, const char *next)
{
    if (done)
        nytp_say_written(path, next);
    return nytp_exit(done);
}

int nytp_flush_stdout(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return NYTP_EXIT_DONE;
    nytp_say("cannot write to standard output: %s", strerror(errno));
    return NYTP_EXIT_FAILED;
}
