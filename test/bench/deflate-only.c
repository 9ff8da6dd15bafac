/* The cost and the result of deflating the chunks of a profile, at each level and in both ways.
 *
 *   deflate-only PROFILE
 *
 * Prints a line for each: way, level, bytes of output, megabytes of input per second of this thread's time.
 */
#include "bytes/deflate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PIECE_BYTES = 256 << 10 /* what the collector gives at a time */ };

typedef struct memory {
    unsigned char *data;
    size_t size, room;
} memory;

static int memory_write(void *context, const void *data, size_t size)
{
    memory *m = context;
    while (size > m->room - m->size) {
        m->room = 2 * m->room + PIECE_BYTES;
        m->data = realloc(m->data, m->room);
        if (m->data == NULL)
            abort();
    }
    memcpy(m->data + m->size, data, size);
    m->size += size;
    return 0;
}

static int count_only(void *context, const void *data, size_t size)
{
    (void)data;
    *(size_t *)context += size;
    return 0;
}

/* Reads the profile and inflates it. False, after a message, if it cannot. */
static bool read_plain(const char *path, memory *plain)
{
    nytp_chunk chunk;
    int rc;
    nytp_reader *reader = nytp_reader_new(nytp_source_file(path));
    nytp_writer *writer = nytp_writer_new(nytp_sink_callback(memory_write, plain, "memory"), 1);
    while ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK)
        if (chunk.tag != NYTP_START_DEFLATE && nytp_writer_chunk(writer, &chunk) != 0)
            break;
    if (rc < 0)
        fprintf(stderr, "deflate-only: %s\n", nytp_reader_error(reader)->message);
    nytp_writer_finish(writer);
    nytp_writer_free(writer);
    nytp_reader_free(reader);
    return rc >= 0;
}

static double thread_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void measure(const memory *plain, const char *name, int level, enum nytp_deflate_with with)
{
    nytp_error error = {0};
    size_t made = 0;
    nytp_sink *sink = nytp_sink_callback(count_only, &made, name);
    nytp_deflate *deflate = nytp_deflate_new(sink, level, with);
    double start_s = thread_s();
    for (size_t at = 0; at < plain->size; at += PIECE_BYTES)
        nytp_deflate_write(deflate, plain->data + at,
                           plain->size - at < PIECE_BYTES ? plain->size - at : PIECE_BYTES, NYTP_DEFLATE_MORE,
                           &error);
    nytp_deflate_write(deflate, NULL, 0, NYTP_DEFLATE_END, &error);
    printf("%-8s %d %10zu bytes %6.0f MB/s\n", name, level, made,
           (double)plain->size / 1e6 / (thread_s() - start_s));
    nytp_deflate_free(deflate);
    nytp_sink_free(sink);
}

int main(int argc, char **argv)
{
    memory plain = {0};
    if (argc != 2) {
        fputs("usage: deflate-only PROFILE\n", stderr);
        return 2;
    }
    if (!read_plain(argv[1], &plain))
        return 1;
    printf("%-12s %10zu bytes\n", "plain", plain.size);
    for (int level = 1; level <= 2; level++)
        measure(&plain, "fast", level, NYTP_DEFLATE_FAST);
    for (int level = 2; level <= 9; level++)
        measure(&plain, "strong", level, NYTP_DEFLATE_STRONG);
    free(plain.data);
    return 0;
}
