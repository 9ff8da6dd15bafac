#include "output/outencoder.h"

#include "bytes/sink.h"
#include "format/writer.h"

static int pass_on(void *context, const void *data, size_t size)
{
    const prof_encoder *e = context;
    return e->discard ? 0 : e->put(e->context, data, size);
}

static bool make_writer(prof_encoder *e)
{
    e->writer = nytp_writer_new(nytp_sink_callback(pass_on, e, ""), 1);
    return e->writer != NULL;
}

bool prof_encoder_start(prof_encoder *e, nytp_write_fn *put, void *context)
{
    e->put = put;
    e->context = context;
    return make_writer(e);
}

/* A writer that refused a chunk refuses all later ones. Replaces it by a new one, which is given a header to
 * discard so that it accepts other chunks. */
static void renew_writer(prof_encoder *e)
{
    static const nytp_chunk version = {.tag = NYTP_VERSION, .version = {5, 0}};
    nytp_writer_free(e->writer);
    e->discard = true;
    if (make_writer(e) && nytp_writer_chunk(e->writer, &version) == 0)
        nytp_writer_flush(e->writer);
    e->discard = false;
}

void prof_encoder_chunk(prof_encoder *e, const nytp_chunk *chunk)
{
    e->in_use = true;
    if (e->writer == NULL || nytp_writer_chunk(e->writer, chunk) != 0 || nytp_writer_flush(e->writer) != 0)
        renew_writer(e);
    e->in_use = false;
}

/* If it is in use, another thread has forked, maybe while the writer moved its buffer. */
void prof_encoder_free(prof_encoder *e)
{
    if (!e->in_use)
        nytp_writer_free(e->writer);
}
