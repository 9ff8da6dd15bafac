#include "merge.h"

#include "base/hash.h"
#include "base/ticks.h"
#include "bytes/sink.h"
#include "bytes/source.h"
#include "cli/output.h"
#include "cli/say.h"
#include "base/newfile.h"
#include "model/grow.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct input {
    char *path;
    int copy_fd; /* of the copy; -1: the file itself can be opened again */
} input;

struct merge_inputs {
    GArray *all;        /* input */
    bool list_is_stdin; /* standard input is a list, so it cannot be a profile */
    double ticks_per_sec;
    const nytp_common_options *options; /* whether memory is read */
};

static void clear_input(gpointer p)
{
    input *i = p;
    if (i->copy_fd >= 0)
        close(i->copy_fd);
    g_free(i->path);
}

merge_inputs *merge_inputs_new(const nytp_common_options *options)
{
    merge_inputs *inputs = g_new0(merge_inputs, 1);
    inputs->options = options;
    inputs->all = NYTP_ARRAY(input);
    g_array_set_clear_func(inputs->all, clear_input);
    return inputs;
}

void merge_inputs_free(merge_inputs *inputs)
{
    g_array_free(inputs->all, TRUE);
    g_free(inputs);
}

void merge_inputs_add(merge_inputs *inputs, const char *path)
{
    input i = {g_strdup(path), -1};
    g_array_append_val(inputs->all, i);
}

int merge_inputs_add_list(merge_inputs *inputs, const char *list_path)
{
    bool is_stdin = strcmp(list_path, "-") == 0;
    FILE *list = is_stdin ? stdin : fopen(list_path, "rbe");
    g_autoptr(GString) text = g_string_new(NULL);
    char block[4096];
    size_t n;
    inputs->list_is_stdin |= is_stdin;
    while (list != NULL && (n = fread(block, 1, sizeof block, list)) > 0)
        g_string_append_len(text, block, (gssize)n);
    bool good = list != NULL && !ferror(list);
    if (!good)
        nytp_say("%s: cannot read the list: %s", list_path, strerror(errno));
    char separator = memchr(text->str, '\0', text->len) != NULL ? '\0' : '\n';
    for (const char *at = text->str, *end = at + text->len; good && at < end;) {
        const char *stop = memchr(at, separator, (size_t)(end - at));
        g_autofree char *path = g_strndup(at, (gsize)((stop != NULL ? stop : end) - at));
        if (path[0] != '\0')
            merge_inputs_add(inputs, path);
        at = stop != NULL ? stop + 1 : end;
    }
    if (list != NULL && !is_stdin)
        fclose(list);
    return good ? 0 : -1;
}

size_t merge_inputs_count(const merge_inputs *inputs)
{
    return inputs->all->len;
}

static input *at(const merge_inputs *inputs, size_t number)
{
    return &g_array_index(inputs->all, input, number);
}

static bool is_stdin(const input *i)
{
    return strcmp(i->path, "-") == 0;
}

static const char *name_of(const input *i)
{
    return is_stdin(i) ? "standard input" : i->path;
}

const char *merge_inputs_name(const merge_inputs *inputs, size_t number)
{
    return name_of(at(inputs, number));
}

double merge_inputs_ticks_per_sec(const merge_inputs *inputs)
{
    return inputs->ticks_per_sec > 0 ? inputs->ticks_per_sec : NYTP_USUAL_TICKS_PER_SEC;
}

static nytp_source *open_input(const input *i)
{
    char path[64];
    if (i->copy_fd < 0)
        return nytp_source_file(i->path);
    /* Opening this path gives an open file with its own offset, unlike dup(). */
    snprintf(path, sizeof path, "/proc/self/fd/%d", i->copy_fd);
    return nytp_source_file_named(path, name_of(i));
}

nytp_source *merge_inputs_open(const merge_inputs *inputs, size_t number)
{
    return nytp_read_memory(open_input(at(inputs, number)), inputs->options);
}

/* Reads the header, and notes ticks_per_sec. A profile that is cut within the header is no error here:
 * reading it later reports it. */
static int check_header(merge_inputs *inputs, size_t number)
{
    nytp_source *source = merge_inputs_open(inputs, number);
    nytp_reader *reader = nytp_reader_new(source);
    nytp_chunk chunk;
    int rc = NYTP_ERR_MEMORY;
    if (source == NULL && inputs->options->memory.is_given) /* it has been said */
        return -1;
    if (reader != NULL)
        nytp_reader_set_threads(reader, NYTP_THREADS_NEVER); /* nothing compressed is read */
    while (reader != NULL && (rc = nytp_reader_next(reader, &chunk)) == NYTP_OK)
        if (chunk.tag == NYTP_START_DEFLATE || chunk.tag == NYTP_PID_START)
            break;
    if (rc < 0)
        nytp_say("%s", reader != NULL ? nytp_reader_error(reader)->message : "out of memory");
    else if (rc == NYTP_OK)
        inputs->ticks_per_sec = MAX(inputs->ticks_per_sec, nytp_reader_ticks_per_sec(reader));
    nytp_reader_free(reader);
    return rc < 0 ? -1 : 0;
}

static int say_failed(const input *i, const char *what)
{
    nytp_say("%s: cannot %s: %s", name_of(i), what, strerror(errno));
    return -1;
}

/* Copies an input that can be read only once. Checks the header as soon as it must be complete, because an
 * input that is not a profile may never end. Returns 0, or -1 after saying what is wrong. */
static int copy_and_check(merge_inputs *inputs, size_t number, nytp_source *from, nytp_sink *to)
{
    enum { HEADER_BYTES = 4096 };
    char block[64 << 10];
    size_t copied_bytes = 0;
    ptrdiff_t n;
    nytp_error error = {0};
    do {
        n = from->read(from, block, sizeof block, &error);
        if (n < 0 || (n > 0 && to->write(to, block, (size_t)n, &error) != 0)) {
            nytp_say("%s", error.message);
            return -1;
        }
        const bool was_checked = copied_bytes >= HEADER_BYTES;
        copied_bytes += (size_t)n;
        if (!was_checked && copied_bytes >= HEADER_BYTES && check_header(inputs, number) < 0)
            return -1;
    } while (n > 0);
    return 0;
}

static int copy_input(merge_inputs *inputs, size_t number, int fd)
{
    input *i = at(inputs, number);
    i->copy_fd = nytp_unnamed_file();
    if (i->copy_fd < 0) {
        nytp_say("%s: " NYTP_UNNAMED_FILE_FAILED, name_of(i), strerror(errno));
        return -1;
    }
    g_autofree char *copy = g_strconcat("a copy of ", name_of(i), NULL);
    nytp_source *source = nytp_source_fd(fd, name_of(i));
    nytp_sink *sink = nytp_sink_fd(i->copy_fd, copy);
    int rc = -1;
    if (source != NULL && sink != NULL)
        rc = copy_and_check(inputs, number, source, sink);
    else
        nytp_say("out of memory");
    nytp_source_free(source);
    nytp_sink_free(sink);
    return rc;
}

typedef struct identity {
    dev_t device;
    ino_t inode;
} identity;

static guint hash_identity(gconstpointer key)
{
    const identity *id = key;
    return (guint)nytp_hash_mix(0, id->device, id->inode);
}

static gboolean equal_identities(gconstpointer x, gconstpointer y)
{
    const identity *a = x, *b = y;
    return a->inode == b->inode && a->device == b->device;
}

static int check_identity(input *i, const struct stat *st, const char *output_path, GHashTable *seen)
{
    identity id = {st->st_dev, st->st_ino};
    const input *other = g_hash_table_lookup(seen, &id);
    if (other != NULL) {
        nytp_say(strcmp(other->path, i->path) == 0 ? "%s is given twice" : "%s and %s are the same file",
                 name_of(i), name_of(other));
        return -1;
    }
    if (nytp_output_refuses(output_path, name_of(i), st))
        return -1;
    g_hash_table_insert(seen, g_memdup2(&id, sizeof id), i);
    return 0;
}

static int check_one(merge_inputs *inputs, size_t number, const char *output_path, GHashTable *seen)
{
    input *i = at(inputs, number);
    struct stat st;
    if (is_stdin(i) && inputs->list_is_stdin) {
        nytp_say("standard input is the list, and cannot be a profile");
        return -1;
    }
    int fd = is_stdin(i) ? STDIN_FILENO : open(i->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    int rc = fd >= 0 && fstat(fd, &st) == 0 ? 0 : say_failed(i, "open");
    if (rc == 0)
        rc = check_identity(i, &st, output_path, seen);
    if (rc == 0 && (is_stdin(i) || !(S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))))
        rc = copy_input(inputs, number, fd);
    if (fd >= 0 && !is_stdin(i))
        close(fd);
    return rc == 0 ? check_header(inputs, number) : -1;
}

int merge_inputs_check(merge_inputs *inputs, const char *output_path)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(hash_identity, equal_identities, g_free, NULL);
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < inputs->all->len; i++)
        rc = check_one(inputs, i, output_path, seen);
    return rc;
}
