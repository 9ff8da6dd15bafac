#include "cli/read.h"

#include "base/order.h"
#include "cli/say.h"
#include "model/grow.h"

#include <math.h>

static struct {
    uint32_t *of_file; /* how many are chosen; NULL: not yet */
    bool apart;        /* each file has slowest spans of its own */
} chosen;

typedef struct ranked {
    double latency_s;
    int file;
} ranked;

static gint longest_first(gconstpointer x, gconstpointer y)
{
    const ranked *a = x, *b = y;
    return nytp_order2(NYTP_ORDER(b->latency_s, a->latency_s), NYTP_ORDER(a->file, b->file));
}

/* Adds the latencies of a file. Returns 0, or -1 after saying why not. */
static int add_file(GArray *all, const nytp_operands *files, int number, const nytp_common_options *common)
{
    const char *file = files->names[number];
    if (!nytp_can_be_read_again(file)) {
        nytp_say("%s: --slowest of several files reads each twice, so they must be regular files", file);
        return -1;
    }
    nytp_spans *spans = nytp_read_spans(file, common);
    for (guint i = 0; spans != NULL && i < spans->latencies_s->len; i++) {
        const ranked one = {g_array_index(spans->latencies_s, double, i), number};
        g_array_append_val(all, one);
    }
    const bool is_read = spans != NULL;
    nytp_spans_free(spans);
    return is_read ? 0 : -1;
}

/* Returns 0, or -1 after saying why not. */
static int choose(const nytp_operands *files, const nytp_common_options *common)
{
    const nytp_slowest slowest = common->filters.slowest;
    g_autoptr(GArray) all = NYTP_ARRAY(ranked);
    for (int i = 0; i < files->count; i++)
        if (add_file(all, files, i, common) != 0)
            return -1;
    g_array_sort(all, longest_first);
    const double count = slowest.is_percent ? ceil(all->len * slowest.count / 100) : slowest.count;
    chosen.of_file = g_new0(uint32_t, (size_t)files->count);
    for (guint i = 0; i < all->len && i < count; i++)
        chosen.of_file[g_array_index(all, ranked, i).file]++;
    return 0;
}

void nytp_slowest_apart(void)
{
    chosen.apart = true;
}

int nytp_slowest_of_file(const char *operand, const nytp_common_options *common, nytp_slowest *slowest)
{
    const nytp_operands *files = nytp_options_profiles();
    if (common->filters.slowest.count == 0 || files->count < 2 || chosen.apart)
        return 0;
    if (chosen.of_file == NULL && choose(files, common) != 0)
        return -1;
    for (int i = 0; i < files->count; i++)
        if (files->names[i] == operand)
            *slowest = (nytp_slowest){.count = MAX(chosen.of_file[i], 1), .is_none = chosen.of_file[i] == 0};
    return 0;
}
