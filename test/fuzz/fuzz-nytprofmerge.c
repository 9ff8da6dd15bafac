/* A profile merged with itself by nytprofmerge. The last byte chooses the options. */
#include "nytprofmerge/merge.h"
#include "test/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t bits = size > 0 ? data[size - 1] : 0;
    merge_options options = {.no_calls = bits & 1, .no_source = bits & 2, .level = bits >> 2 & 1};
    nytp_common_options common = {.salvage = true, .filters = fuzz_filters(data, size)};
    merge_inputs *inputs = merge_inputs_new(&common);
    merge_totals totals;
    int fds[2];
    for (int i = 0; i < 2; i++) {
        char path[32];
        fds[i] = memfd_create("profile", 0);
        must(write(fds[i], data, size) == (ssize_t)size);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fds[i]);
        merge_inputs_add(inputs, path);
    }
    FILE *out = fuzz_results();
    if (merge_inputs_check(inputs, "/dev/null") == 0)
        merge_write(inputs, &options, &common, out, &totals);
    fclose(out);
    close(fds[0]);
    close(fds[1]);
    merge_inputs_free(inputs);
    return 0;
}
