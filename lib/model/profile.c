/* The profile: what it is made of. fold.c fills it, view.c gives access to it. */
#include "model/profile.h"

#include "base/hash.h"
#include "base/str.h"
#include "base/ticks.h"
#include "model/grow.h"

#include <string.h>

static uint64_t hash_setting(const void *record)
{
    const nytp_setting *s = record;
    return nytp_hash_mix(0, s->tag, nytp_hash_bytes(s->key.bytes, s->key.length));
}

static bool same_setting(const void *a, const void *b)
{
    const nytp_setting *x = a, *y = b;
    return x->tag == y->tag && nytp_str_same(x->key, y->key);
}

static void on_new_line(void *profile, uint32_t fid)
{
    nytp_profile_file_for(profile, fid);
}

nytp_profile *nytp_profile_new(void)
{
    enum { TEXT_BLOCK = 4096 };
    nytp_profile *p = g_new0(nytp_profile, 1);
    p->ticks_per_sec = NYTP_USUAL_TICKS_PER_SEC;
    p->lines = nytp_lines_new(on_new_line, p);
    nytp_records_init(&p->files, sizeof(nytp_file), offsetof(nytp_file, number));
    nytp_subs_init(&p->subs);
    nytp_records_init_by(&p->settings, sizeof(nytp_setting), hash_setting, same_setting);
    nytp_records_init(&p->line_waits, sizeof(nytp_line_waited), offsetof(nytp_line_waited, waited));
    p->processes = NYTP_ARRAY(nytp_process);
    p->process_cpu_s = -1;
    p->open_numbers = NYTP_ARRAY(uint32_t);
    p->eval_ranges = NYTP_ARRAY(nytp_eval_range);
    p->texts = g_string_chunk_new(TEXT_BLOCK);
    return p;
}

bool nytp_profile_has_heap_records(const nytp_profile *profile)
{
    return profile->has_heap_records;
}

bool nytp_profile_has_heap_holders(const nytp_profile *profile)
{
    return profile->has_heap_holders;
}

bool nytp_profile_is_empty(const nytp_profile *profile)
{
    return profile->files.count == 0 && profile->settings.count == 0 && profile->processes->len == 0 &&
           nytp_names_count(profile->subs.names) == 0;
}

int nytp_profile_keep_levels(nytp_profile *profile)
{
    if (!nytp_profile_is_empty(profile))
        return NYTP_ERR_STATE;
    nytp_lines_keep_levels(profile->lines);
    return 0;
}

int nytp_profile_on_source(nytp_profile *profile, nytp_source_line_fn *on_line, void *context)
{
    if (!nytp_profile_is_empty(profile))
        return NYTP_ERR_STATE;
    profile->on_source = on_line;
    profile->source_context = context;
    return 0;
}

void nytp_profile_free(nytp_profile *profile)
{
    if (profile == NULL)
        return;
    nytp_lines_free(profile->lines);
    nytp_records_clear(&profile->files);
    nytp_subs_clear(&profile->subs);
    nytp_records_clear(&profile->settings);
    nytp_records_clear(&profile->line_waits);
    nytp_labels_free(profile->labels);
    g_array_free(profile->processes, TRUE);
    nytp_pids_clear(&profile->open);
    g_array_free(profile->open_numbers, TRUE);
    g_string_chunk_free(profile->texts);
    g_array_free(profile->eval_ranges, TRUE);
    if (profile->added != NULL)
        profile->free_added(profile->added);
    g_free(profile);
}

nytp_file *nytp_profile_find_file(const nytp_profile *profile, uint32_t fid)
{
    return nytp_records_find(&profile->files, &(nytp_file){.fid = fid});
}

bool nytp_profile_is_eval(const nytp_profile *profile, uint32_t fid)
{
    const nytp_file *f = nytp_profile_find_file(profile, fid);
    return f != NULL && f->eval_fid != 0;
}

nytp_file *nytp_profile_file_for(nytp_profile *p, uint32_t fid)
{
    nytp_file file = {.fid = fid, .number = p->files.count, .name = {"", 0, false}};
    return nytp_records_at(&p->files, nytp_records_number(&p->files, &file, NULL));
}

bool nytp_sub_label(const nytp_profile *profile, nytp_str name, nytp_label *label)
{
    return nytp_labels_split(profile->labels, name, label);
}

const nytp_setting *nytp_profile_setting_by_key(const nytp_profile *p, nytp_tag tag, const char *key)
{
    return nytp_records_find(&p->settings, &(nytp_setting){tag, {key, strlen(key), false}, {"", 0, false}});
}

bool nytp_profile_is_off(const nytp_profile *p, const char *option)
{
    const nytp_setting *s = nytp_profile_setting_by_key(p, NYTP_OPTION, option);
    return s != NULL && nytp_str_is(s->value, "0");
}
