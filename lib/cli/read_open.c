#include "cli/read.h"

#include "calls/sum_calls.h"
#include "cli/prepare_filters.h"
#include "cli/say.h"

nytp_reader *nytp_read_open(nytp_source *source, const nytp_common_options *options, uint32_t tags)
{
    nytp_filter_options filters = options->filters;
    if (source != NULL && (source = nytp_prepare_filters(source, &filters)) == NULL)
        return NULL;
    nytp_reader *reader = source != NULL ? nytp_reader_new(source) : NULL;
    if (reader != NULL && (tags & nytp_tag_bit(NYTP_SUB_CALLERS)) != 0 &&
        nytp_filters_leave_out_events(&filters))
        filters.sums = nytp_sum_calls_new();
    if (reader != NULL && nytp_filters_attach(&filters, reader) == 0) {
        nytp_reader_set_dprof(reader, &options->dprof);
        return reader;
    }
    nytp_say("out of memory");
    nytp_reader_free(reader);
    return NULL;
}
