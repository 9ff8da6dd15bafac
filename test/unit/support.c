#include "format/reader.h"
#include "test/unit/support.h"
#include "test/unit/chunk_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- bytes in memory ---- */

int memory_write(void *context, const void *data, size_t size)
{
    memory *m = context;
    if (m->refuse_from > 0 && m->size + size > m->refuse_from)
        return -ENOSPC;
    if (m->size + size > m->capacity) {
        m->capacity = (m->size + size) * 2;
        m->data = realloc(m->data, m->capacity);
        assert_non_null(m->data);
    }
    if (size > 0)
        memcpy(m->data + m->size, data, size);
    m->size += size;
    return 0;
}

void memory_add(memory *m, const char *bytes, size_t size)
{
    assert_int_equal(memory_write(m, bytes, size), 0);
}

void memory_free(memory *m)
{
    free(m->data);
    *m = (memory){0};
}

void memory_deflate(memory *m, const void *data, size_t size, enum nytp_deflate_flush flush)
{
    nytp_error error = {0};
    nytp_sink *sink = nytp_sink_callback(memory_write, m, "memory");
    nytp_deflate *deflate = nytp_deflate_new(sink, 9, NYTP_DEFLATE_STRONG);
    assert_int_equal(nytp_deflate_write(deflate, data, size, flush, &error), 0);
    nytp_deflate_free(deflate);
    nytp_sink_free(sink);
}

/* ---- files ---- */

void file_write(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

void file_must_hold(const char *path, const char *text, const char *file, int line)
{
    char got[256] = "";
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    got[fread(got, 1, sizeof got - 1, in)] = '\0';
    fclose(in);
    _assert_string_equal(got, text, file, line);
}

/* ---- the current directory ---- */

static char directory_before[4096], directory[] = "/tmp/nytp-unit-XXXXXX";

int enter_empty_directory(void **state)
{
    (void)state;
    memcpy(directory + sizeof directory - 7, "XXXXXX", 7);
    umask(022);
    return getcwd(directory_before, sizeof directory_before) == NULL || mkdtemp(directory) == NULL ||
           chdir(directory) != 0;
}

int leave_directory(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    return chdir(directory_before) != 0 || system(command) != 0;
}

/* ---- texts ---- */

void must_contain(const char *text, const char *words, const char *file, int line)
{
    if (strstr(text, words) != NULL)
        return;
    print_error("\"%s\" is not in \"%s\"\n", words, text);
    _fail(file, line);
}

/* ---- streams ---- */

memory stream_of(const nytp_chunk *chunks, size_t count)
{
    memory m = {0};
    nytp_writer *writer = nytp_writer_new(nytp_sink_callback(memory_write, &m, "memory"), 6);
    for (size_t i = 0; i < count; i++)
        if (nytp_writer_chunk(writer, &chunks[i]) != 0)
            fail_msg("chunk %zu: %s", i, nytp_writer_error(writer)->message);
    assert_int_equal(nytp_writer_finish(writer), 0);
    nytp_writer_free(writer);
    return m;
}

memory stream_begin(void)
{
    const nytp_chunk chunks[] = {
        {.tag = NYTP_VERSION, .version = {5, 0}},
        {.tag = NYTP_PID_START, .pid_start = {7, 1, 1.5}},
    };
    return stream_of(chunks, COUNT(chunks));
}

enum { SAMPLE_DEFLATE = 4 }; /* where START_DEFLATE stands in the sample */

static size_t sample(nytp_chunk chunks[static 32])
{
    const nytp_chunk all[] = {
        {.tag = NYTP_VERSION, .version = {5, 0}},
        {.tag = NYTP_COMMENT, .comment = {STR(" a profile")}},
        {.tag = NYTP_ATTRIBUTE, .attribute = {STR("ticks_per_sec"), STR("1000000")}},
        {.tag = NYTP_OPTION, .attribute = {STR("calls"), STR("2=2")}},
        {.tag = NYTP_START_DEFLATE},
        {.tag = NYTP_PID_START, .pid_start = {4711, 1, 1700000000.25}},
        {.tag = NYTP_NEW_FID, .new_fid = {1, 0, 0, 0x112, 300, 70000, STR("/tmp/a.pl")}},
        {.tag = NYTP_NEW_FID, .new_fid = {2, 1, 17, 0x102, 0, 0, UTF8("(eval 1)[\xc3\xa4.pl:17]")}},
        {.tag = NYTP_TIME_LINE, .time = {.ticks = 12, .fid = 1, .line = 3}},
        {.tag = NYTP_DISCOUNT},
        {.tag = NYTP_TIME_LINE, .time = {.ticks = -1, .fid = 300, .line = 70000}},
        {.tag = NYTP_TIME_BLOCK, .time = {40000, 2, 130, 128, 3000000}},
        {.tag = NYTP_SUB_ENTRY, .sub_entry = {.fid = 1, .line = 300000000}},
        {.tag = NYTP_SUB_RETURN, .sub_return = {2, 1234.5, -0.0, STR("main::f")}},
        {.tag = NYTP_SUB_RETURN, .sub_return = {200, 1e300, 1.0 / 3, STR("")}},
        {.tag = NYTP_SUB_INFO, .sub_info = {1, STR("main::f"), 4, 400}},
        {.tag = NYTP_SUB_CALLERS,
         .sub_callers = {1, 9, STR("main::RUNTIME"), 1000, 0.1, 0.05, 0.025, 3, UTF8("main::\xc3\xa4")}},
        {.tag = NYTP_SRC_LINE, .src_line = {1, 1, STR("print 'x';\0\n")}},
        {.tag = NYTP_ATTRIBUTE, .attribute = {STR("cumulative_overhead_ticks"), STR("")}},
        {.tag = NYTP_PID_END, .pid_end = {4711, 1700000001.75}},
    };
    memcpy(chunks, all, sizeof all);
    return COUNT(all);
}

memory sample_stream(bool compressed)
{
    nytp_chunk chunks[32];
    size_t count = sample(chunks);
    if (!compressed)
        memmove(chunks + SAMPLE_DEFLATE, chunks + SAMPLE_DEFLATE + 1,
                (--count - SAMPLE_DEFLATE) * sizeof *chunks);
    return stream_of(chunks, count);
}

size_t sample_count(bool compressed)
{
    nytp_chunk chunks[32];
    return sample(chunks) - (compressed ? 0 : 1);
}

/* ---- awkward sources ---- */

uint64_t random_next(uint64_t *state) /* splitmix64 */
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

uint64_t random_below(uint64_t *state, uint64_t limit)
{
    return random_next(state) % limit;
}

ptrdiff_t nasty_read(void *context, void *buffer, size_t size)
{
    nasty *n = context;
    size_t count = 1 + random_next(&n->random) % n->most;
    if (n->left == 0)
        return -n->error_number;
    if (count > size)
        count = size;
    if (count > n->left)
        count = n->left;
    memcpy(buffer, n->data, count);
    n->data += count;
    n->left -= count;
    return (ptrdiff_t)count;
}

/* ---- reading ---- */

const way plainly = {0, NYTP_THREADS_NEVER, NYTP_INFLATE_BEST};

const way *ways(size_t *count)
{
    static const way all[] = {
        {0, NYTP_THREADS_NEVER, NYTP_INFLATE_ZLIB},  {0, NYTP_THREADS_ALWAYS, NYTP_INFLATE_ZLIB},
        {1, NYTP_THREADS_NEVER, NYTP_INFLATE_ZLIB},  {7, NYTP_THREADS_ALWAYS, NYTP_INFLATE_ZLIB},
        {0, NYTP_THREADS_NEVER, NYTP_INFLATE_ISAL},  {0, NYTP_THREADS_ALWAYS, NYTP_INFLATE_ISAL},
        {1, NYTP_THREADS_NEVER, NYTP_INFLATE_ISAL},  {7, NYTP_THREADS_ALWAYS, NYTP_INFLATE_ISAL},
        {300, NYTP_THREADS_AUTO, NYTP_INFLATE_BEST},
    };
    static way there[COUNT(all)];
    *count = 0;
    for (size_t i = 0; i < COUNT(all); i++)
        if (nytp_inflate_has(all[i].with))
            there[(*count)++] = all[i];
    return there;
}

reading read_to_end(nytp_reader *reader)
{
    reading r = {0};
    nytp_chunk chunk;
    const char *warning;
    assert_non_null(reader);
    FILE *out = open_memstream(&r.text, &r.length);
    for (; (r.end = nytp_reader_next(reader, &chunk)) == NYTP_OK; r.chunks++)
        chunk_print(out, &chunk);
    fclose(out);
    assert_int_equal(nytp_reader_next(reader, &chunk), r.end);
    r.error = *nytp_reader_error(reader);
    r.warnings = nytp_reader_warnings(reader, &warning);
    if (warning != NULL)
        snprintf(r.warning, sizeof r.warning, "%s", warning);
    r.ticks_per_sec = nytp_reader_ticks_per_sec(reader);
    nytp_reader_free(reader);
    return r;
}

reading read_bytes(const void *data, size_t size, way how)
{
    nasty n = {.data = data, .left = size, .most = how.most, .random = size};
    nytp_source *source = how.most > 0 ? nytp_source_callback(nasty_read, &n, "p.out")
                                       : nytp_source_memory(data, size, "p.out");
    nytp_reader *reader = nytp_reader_new(source);
    nytp_reader_set_threads(reader, how.threads);
    nytp_reader_set_inflater(reader, how.with);
    return read_to_end(reader);
}

void reading_free(reading *r)
{
    free(r->text);
}

void assert_prefix(const reading *r, const reading *whole)
{
    assert_true(r->length <= whole->length);
    assert_memory_equal(r->text, whole->text, r->length);
}
