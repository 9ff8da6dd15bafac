/* Events go to the process that is running. What all processes have in common (files, subs, settings, source
 * lines) is kept once, as encoded chunks: a process has what has come before its own events among it when
 * these are written, and the rest at its end. Sums of calls are those of all processes, so they are left out,
 * and each part makes its own from its calls (cli/read_profile.c).
 */
#include "cli/split.h"

#include "base/str.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "format/marks.h"
#include "format/memory.h"
#include "format/runs.h"
#include "format/tags.h"
#include "format/writer.h"
#include "model/grow.h"

#include <errno.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct part {
    uint32_t pid;
    bool has_ended;
    double begin_s, end_s; /* end_s: if it has ended */
    size_t common; /* bytes of what is common that it has */
} part;

struct nytp_process_files {
    nytp_writer *writer;
    FILE *file;  /* of the process that is running; NULL if there is none */
    bool to_all; /* what is written is common */
    GByteArray *common;
    GArray *parts;       /* part; the last one is running */
    char *comment;       /* of the chunk to come, which decides where it goes; NULL if there is none */
    char *directory;     /* with the files of the parts */
    bool has_no_returns; /* recorded with calls=0 */
    int error;           /* errno */
};

static part *running(const nytp_process_files *p)
{
    return p->parts->len > 0 ? &g_array_index(p->parts, part, p->parts->len - 1) : NULL;
}

static void write_bytes(nytp_process_files *p, FILE *file, const void *data, size_t size)
{
    if (size > 0 && fwrite(data, 1, size, file) != size && p->error == 0)
        p->error = errno;
}

static int append(void *context, const void *data, size_t size)
{
    nytp_process_files *p = context;
    if (p->to_all)
        g_byte_array_append(p->common, data, (guint)size);
    else
        write_bytes(p, p->file, data, size);
    return -p->error;
}

/* Writes what is common and the part does not have yet. */
static void put_common(nytp_process_files *p, part *to, FILE *file)
{
    write_bytes(p, file, p->common->data + to->common, p->common->len - to->common);
    to->common = p->common->len;
}

/* What is written from here on is common, or of the process that is running. */
static void turn(nytp_process_files *p, bool to_all)
{
    if (p->to_all == to_all)
        return;
    nytp_writer_flush(p->writer);
    p->to_all = to_all;
    if (!to_all)
        put_common(p, running(p), p->file);
}

static void put(nytp_process_files *p, const nytp_chunk *chunk, bool to_all)
{
    turn(p, to_all || p->file == NULL);
    if (p->comment != NULL) {
        const nytp_chunk comment = {.tag = NYTP_COMMENT, .comment = {nytp_str_of(p->comment)}};
        nytp_writer_chunk(p->writer, &comment);
    }
    nytp_writer_chunk(p->writer, chunk);
}

static void close_file(nytp_process_files *p)
{
    nytp_writer_flush(p->writer);
    p->to_all = true;
    if (p->file != NULL && fclose(p->file) != 0 && p->error == 0)
        p->error = errno;
    p->file = NULL;
}

/* Without returns nothing says which process made a call, so that all stay one part. */
static void begin_part(nytp_process_files *p, const nytp_chunk *chunk)
{
    const part begun = {.pid = chunk->pid_start.pid, .begin_s = chunk->pid_start.time_s};
    if (p->file == NULL || !p->has_no_returns) {
        close_file(p);
        p->file = nytp_tempdir_file(p->parts->len);
        if (p->file == NULL && p->error == 0)
            p->error = errno;
        g_array_append_val(p->parts, begun);
    }
    put(p, chunk, false);
}

static void end_part(nytp_process_files *p, const nytp_chunk *chunk)
{
    part *ended = running(p);
    if (ended == NULL || ended->pid != chunk->pid_end.pid)
        return;
    ended->has_ended = true;
    ended->end_s = chunk->pid_end.time_s;
}

static void take_option(nytp_process_files *p, const nytp_chunk *chunk)
{
    if (nytp_str_is(chunk->attribute.key, "calls"))
        p->has_no_returns |= nytp_str_is(chunk->attribute.value, "0");
    put(p, chunk, true);
}

static void take_attribute(nytp_process_files *p, const nytp_chunk *chunk)
{
    const enum nytp_mark_kind kind = nytp_mark_kind(chunk);
    const bool is_of_process = kind != NYTP_NO_MARK || nytp_memory_is_sum(chunk->attribute.key);
    if (kind != NYTP_MARK_PROCESS_CUT) /* which has been said when the profile was read */
        put(p, chunk, !is_of_process);
}

static void take_comment(nytp_process_files *p, const nytp_chunk *chunk)
{
    g_free(p->comment);
    p->comment = g_strndup(chunk->comment.text.bytes, chunk->comment.text.length);
}

static void take(nytp_process_files *p, const nytp_chunk *chunk)
{
    switch (chunk->tag) {
    case NYTP_COMMENT: take_comment(p, chunk); return;
    case NYTP_PID_START: begin_part(p, chunk); break;
    case NYTP_PID_END:
        end_part(p, chunk);
        put(p, chunk, false);
        break;
    case NYTP_OPTION: take_option(p, chunk); break;
    case NYTP_ATTRIBUTE: take_attribute(p, chunk); break;
    case NYTP_SUB_CALLERS:
        if (p->has_no_returns || (chunk->sub_callers.count == 0 && chunk->sub_callers.caller.length == 0))
            put(p, chunk, true);
        break;
    default: put(p, chunk, (nytp_tag_bits[chunk->tag & 0xFF] & NYTP_EVENTS) == 0); break;
    }
    g_clear_pointer(&p->comment, g_free);
}

static inline void pass_statement(void *context, nytp_statement s)
{
    (void)context;
    (void)s;
}

static inline void pass_return(void *context, const nytp_return *returned)
{
    (void)context;
    (void)returned;
}

/* Copies the events that the reader has buffered in a row. */
static void copy_run(nytp_process_files *p, nytp_reader *reader)
{
    const unsigned char *from = reader->at;
    const size_t bytes = nytp_read_events(reader, pass_statement, pass_return, NULL);
    if (bytes == 0)
        return;
    turn(p, false);
    nytp_writer_encoded(p->writer, from, bytes);
}

static int split_some(void *context, nytp_reader *reader)
{
    enum { SOME = 1 << 10 };
    nytp_process_files *p = context;
    nytp_chunk chunk;
    int rc = NYTP_OK;
    for (unsigned n = 0; n < SOME && rc == NYTP_OK; n++) {
        if (p->file != NULL && p->comment == NULL)
            copy_run(p, reader);
        if ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK)
            take(p, &chunk);
    }
    return rc;
}

char *nytp_process_files_path(const nytp_process_files *parts, uint32_t index)
{
    return g_strdup_printf("%s/%u", parts->directory, index);
}

/* Adds what has come since the part ended, and its end if it was cut. */
static void complete(nytp_process_files *p, uint32_t index)
{
    part *to = &g_array_index(p->parts, part, index);
    g_autofree char *path = nytp_process_files_path(p, index);
    p->file = fopen(path, "abe");
    if (p->file == NULL) {
        p->error = errno;
        return;
    }
    put_common(p, to, p->file);
    if (!to->has_ended)
        put(p, &(nytp_chunk){.tag = NYTP_PID_END, .pid_end = {to->pid, to->begin_s}}, false);
    close_file(p);
}

static nytp_process_files *new_parts(const char *output)
{
    nytp_process_files *p = g_new0(nytp_process_files, 1);
    p->directory = nytp_tempdir_create(output != NULL ? output : "");
    p->error = p->directory == NULL ? errno : 0;
    p->to_all = true;
    p->common = g_byte_array_new();
    p->parts = NYTP_ARRAY(part);
    p->writer = nytp_writer_new(nytp_sink_callback(append, p, "a part"), 0);
    return p;
}

nytp_process_files *nytp_process_files_new(const char *path, const nytp_common_options *common,
                                           const char *output)
{
    nytp_process_files *p = new_parts(output);
    int rc = p->error == 0 ? 0 : -1;
    if (rc == 0)
        rc = nytp_read(path, common,
                       &(nytp_read_handler){.tags = NYTP_ALL_TAGS & ~NYTP_BIT(START_DEFLATE),
                                            .read_some = split_some,
                                            .context = p});
    if (rc >= 0) {
        close_file(p);
        for (uint32_t i = 0; i < p->parts->len && p->error == 0; i++)
            complete(p, i);
    }
    if (p->error != 0)
        nytp_say("cannot write the parts of %s: %s", path, strerror(p->error));
    if (rc >= 0 && p->error == 0)
        return p;
    nytp_process_files_free(p);
    return NULL;
}

void nytp_process_files_free(nytp_process_files *p)
{
    if (p == NULL)
        return;
    nytp_writer_free(p->writer);
    if (p->file != NULL)
        fclose(p->file);
    nytp_tempdir_remove();
    nytp_tempdir_release();
    free(p->directory);
    g_free(p->comment);
    g_byte_array_free(p->common, TRUE);
    g_array_free(p->parts, TRUE);
    g_free(p);
}

uint32_t nytp_process_files_count(const nytp_process_files *parts)
{
    return parts->parts->len;
}

bool nytp_process_files_are_known(const nytp_process_files *parts)
{
    return !parts->has_no_returns;
}

/* Whether one began in the life of the other, which has the same pid. */
static bool is_of(const part *one, const part *first)
{
    return one->pid == first->pid && one->begin_s >= first->begin_s &&
           (!first->has_ended || one->begin_s <= first->end_s);
}

uint32_t nytp_process_files_thread(const nytp_process_files *parts, uint32_t index)
{
    const part *of = &g_array_index(parts->parts, part, index), *first = of;
    uint32_t earlier = 0, all = 0;
    NYTP_EACH(const part, one, parts->parts)
        if (one->begin_s < first->begin_s && is_of(of, one))
            first = one;
    NYTP_EACH(const part, one, parts->parts) {
        all += is_of(one, first);
        earlier += is_of(one, first) && (one->begin_s < of->begin_s || (one->begin_s == of->begin_s && one < of));
    }
    return all > 1 ? earlier + 1 : 0;
}

uint32_t nytp_process_files_pid(const nytp_process_files *parts, uint32_t index)
{
    return g_array_index(parts->parts, part, index).pid;
}
