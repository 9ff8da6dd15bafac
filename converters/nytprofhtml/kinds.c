#include "kinds.h"

#include "base/ticks.h"

static void write_name(html_json *j, const char *key, nytp_str name)
{
    g_autofree char *text = nytp_name_clean(name);
    html_json_text(j, key, text);
}

static void write_sums(const GArray *sums, html_json *j)
{
    HTML_COLUMN(j, "kind", sums->len, i, g_array_index(sums, nytp_kind_sum, i).kind);
    HTML_COLUMN(j, "ticks", sums->len, i, nytp_whole_ticks(g_array_index(sums, nytp_kind_sum, i).bytes));
    HTML_COLUMN(j, "blocks", sums->len, i, (int64_t)g_array_index(sums, nytp_kind_sum, i).blocks);
}

static void write_kinds_of_subs(const html_report *r, html_json *j)
{
    const GArray *sums = r->kind_sums;
    const uint32_t kinds = nytp_kinds_count(r->kinds);
    html_json_open(j, "kinds", '{');
    HTML_COLUMN_OF(write_name, j, "name", kinds, i, nytp_kinds_name(r->kinds, i));
    HTML_COLUMN(j, "sub", sums->len, i, g_array_index(sums, nytp_kind_sum, i).owner);
    write_sums(sums, j);
    html_json_close(j, '}');
}

static void write_kinds_of_files(const html_report *r, html_json *j)
{
    const GArray *sums = nytp_kinds_by_file(r->kinds);
    html_json_open(j, "file_kinds", '{');
    HTML_COLUMN(j, "file", sums->len, i,
                html_report_file_number(r, g_array_index(sums, nytp_kind_sum, i).owner));
    write_sums(sums, j);
    html_json_close(j, '}');
}

/* Types without values are left out. */
static void write_values(const html_report *r, html_json *j)
{
    const double *counts = r->memory.values;
    int types[NYTP_VALUE_TYPE_COUNT], count = 0;
    for (int type = 0; type < NYTP_VALUE_TYPE_COUNT; type++)
        if (counts[type] > 0)
            types[count++] = type;
    html_json_open(j, "values", '{');
    HTML_COLUMN_OF(html_json_text, j, "type", (size_t)count, i, nytp_value_types[types[i]]);
    HTML_COLUMN(j, "count", (size_t)count, i, nytp_whole_ticks(counts[types[i]]));
    html_json_close(j, '}');
}

void html_kinds_write(const html_report *report, html_json *json)
{
    write_kinds_of_subs(report, json);
    write_kinds_of_files(report, json);
    write_values(report, json);
}
