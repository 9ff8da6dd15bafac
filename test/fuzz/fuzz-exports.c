/* A profile through nytp-speedscope, nytp-pprof and nytp-trace. The last byte chooses the options. */
#include "converters/nytp-pprof/pprof.h"
#include "converters/nytp-speedscope/speedscope.h"
#include "converters/nytp-trace/trace.h"
#include "test/fuzz/fuzz.h"

static nytp_process_calls *fill(nytp_process_calls *calls, const uint8_t *data, size_t size)
{
    const nytp_filter_options filters = fuzz_filters(data, size);
    fuzz_read_filtered(data, size, &filters, nytp_process_calls_tags(calls), nytp_process_calls_read, calls);
    nytp_process_calls_end_profile(calls);
    return calls;
}

static void write_course(const uint8_t *data, size_t size, uint8_t bits, FILE *out)
{
    uint64_t cut;
    nytp_process_calls *calls = fill(nytp_process_course_new(bits & 1, !(bits & 2)), data, size);
    if (bits & 2)
        speedscope_write(calls, &(speedscope_options){.timeline = true, .max_depth = 1 + (bits >> 4)}, out,
                         &cut);
    else
        trace_write(
            calls,
            &(trace_options){.json = bits & 4, .min.ns = bits & 8 ? 1000 : 0, .max_depth = 1 + (bits >> 4)},
            out, &cut);
    nytp_process_calls_free(calls);
}

static void write_trees(const uint8_t *data, size_t size, uint8_t bits, FILE *out)
{
    uint64_t cut;
    const nytp_least min = {bits & 8 ? 1.5 : 0, bits & 8 ? 1000 : 0};
    enum nytp_process_trees_of of = bits & 2 ? NYTP_TREES_OF_FRAMES : NYTP_TREES_OF_LINED_FRAMES;
    nytp_process_calls *calls = fill(nytp_process_trees_new(bits & 1, of, false, bits & 2), data, size);
    if (bits & 2)
        speedscope_write(calls, &(speedscope_options){.min = min, .max_depth = 1 + (bits >> 4)}, out, &cut);
    else
        pprof_write_stacks(calls, &(pprof_options){.min = min, .max_depth = bits >> 4}, out);
    nytp_process_calls_free(calls);
}

static int read_profile(void *profile, nytp_reader *reader)
{
    return nytp_profile_read(profile, reader);
}

static void write_lines(const uint8_t *data, size_t size, FILE *out)
{
    nytp_profile *profile = nytp_profile_new();
    const nytp_filter_options filters = fuzz_filters(data, size);
    fuzz_read_filtered(data, size, &filters, nytp_profile_tags(), read_profile, profile);
    pprof_write_lines(profile, false, out);
    nytp_profile_free(profile);
}

static void write_cpuprofile(const uint8_t *data, size_t size, uint8_t bits, FILE *out)
{
    nytp_profile *lines = nytp_profile_new();
    nytp_process_calls *calls = nytp_process_trees_new(bits & 1, NYTP_TREES_OF_FRAMES, bits & 2, true);
    nytp_events_set_profile(calls->events, lines);
    fill(calls, data, size);
    if ((bits & 1) == 0)
        nytp_profile_merge_evals(lines);
    speedscope_write_cpuprofile(calls, lines, (nytp_least){.percent = bits & 8 ? 1.5 : 0}, 1 + (bits >> 4),
                                out);
    nytp_process_calls_free(calls);
    nytp_profile_free(lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t bits = size > 0 ? data[size - 1] : 0;
    FILE *out = fuzz_results();
    write_course(data, size, bits, out);
    write_trees(data, size, bits, out);
    write_lines(data, size, out);
    write_cpuprofile(data, size, bits, out);
    fclose(out);
    return 0;
}
