/* A recording of coverage through nytp-cover. The last byte chooses what is shown. */
#include "converters/nytp-cover/show.h"
#include "test/fuzz/fuzz.h"

static int read_some(void *context, nytp_reader *reader)
{
    nytp_chunk chunk;
    int rc;
    while ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK)
        nytp_cover_add(context, &chunk);
    return rc;
}

static void nothing(void *context, const nytp_cover_file *file, uint32_t line, const char *criterion,
                    const char *what)
{
    (void)context;
    must(file != NULL && line > 0 && *criterion != '\0' && *what != '\0');
}

/* The bytes are the source of each file, too, whose comments may excuse what is in it. */
static void excuse(const GPtrArray *files, const uint8_t *data, size_t size)
{
    g_autofree char *source = g_strndup((const char *)data, size);
    for (guint i = 0; i < files->len; i++)
        nytp_cover_excuse(files->pdata[i], source, nothing, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const unsigned bits = size > 0 ? data[size - 1] : 0;
    nytp_cover *cover = nytp_cover_new();
    fuzz_read(data, size, nytp_cover_tags(), read_some, cover);
    nytp_cover_end_recording(cover);
    const GPtrArray *files = nytp_cover_files(cover);
    FILE *out = fuzz_results();
    if (bits & 2)
        excuse(files, data, size);
    const nytp_cover_counts totals = cover_totals_of(files, bits & 1);
    for (int i = 0; i < NYTP_COVER_CRITERIA; i++)
        must(totals.of[i].seen <= totals.of[i].all);
    cover_show_table(out, files, bits & 1, &(nytp_look){.columns = bits / 4});
    cover_show_missing(out, files, bits & 1);
    cover_write_lcov(out, files);
    cover_write_cobertura(out, files);
    cover_write_json(out, files);
    fclose(out);
    nytp_cover_free(cover);
    return 0;
}
