#include "stream.h"

#include "data.h"

static void put(pTHX_ SV **slot, SV *value)
{
    SvREFCNT_dec(*slot);
    *slot = value;
}

#define SET(key, value)                                                                                      \
    put(aTHX_ read_data_slot(aTHX_ l, l->attributes, (nytp_str){key, sizeof(key) - 1, false}), value)

static void begin_process(pTHX_ read_data *l, uint32_t pid, double start_s)
{
    int64_t index = nytp_pids_begin(&l->open_pids, pid);
    if (index < 0)
        croak("out of memory");
    if ((size_t)index >= l->open_cap) {
        size_t cap = l->open_cap * 2 + 4;
        read_bound_charge(aTHX_ & l->bound, cap * READ_PROCESS_BYTES);
        Renew(l->open_start_s, cap, double);
        l->open_cap = cap;
    }
    l->open_start_s[index] = l->start_s = start_s;
}

static void end_process(read_data *l, uint32_t pid, double end_s)
{
    int64_t index = nytp_pids_end(&l->open_pids, pid);
    l->end_s = end_s;
    if (index >= 0)
        l->duration_s += end_s - l->open_start_s[index];
}

static void set_sums(pTHX_ read_data *l)
{
    double ticks_per_sec = nytp_reader_ticks_per_sec(l->reader);
    SV **overhead = hv_fetchs(l->attributes, "cumulative_overhead_ticks", 0);
    double overhead_s = overhead != NULL ? SvNV(*overhead) / ticks_per_sec : 0;
    SET("profiler_start_time", newSVnv(l->start_s));
    SET("profiler_end_time", newSVnv(l->end_s));
    SET("profiler_duration", newSVnv(l->duration_s));
    SET("profiler_active", newSVnv(l->duration_s - overhead_s));
    SET("total_stmts_measured", newSVuv(l->statements));
    SET("total_stmts_discounted", newSVuv(l->discounts));
    SET("total_stmts_duration", newSVnv((double)l->statement_ticks / ticks_per_sec));
    SET("total_sub_calls", newSVuv(l->calls));
    SET("complete", newSViv(1));
}

static void add_statement(pTHX_ read_data *l, const nytp_chunk *chunk)
{
    uint32_t fid = chunk->time.fid;
    bool executed = !l->discounted;
    read_lines_add(aTHX_ & l->line_times, fid, chunk->time.line, chunk->time.ticks, executed);
    if (chunk->tag == NYTP_TIME_BLOCK) {
        read_lines_add(aTHX_ & l->block_times, fid, chunk->time.block_line, chunk->time.ticks, executed);
        read_lines_add(aTHX_ & l->sub_times, fid, chunk->time.sub_line, chunk->time.ticks, executed);
    }
    l->statements++;
    l->discounts += l->discounted;
    l->discounted = false;
    l->statement_ticks += chunk->time.ticks;
}

static void add_other(pTHX_ read_data *l, const nytp_chunk *chunk)
{
    HV *hv;
    SV **slot;
    switch (chunk->tag) {
    case NYTP_ATTRIBUTE:
    case NYTP_OPTION:
        hv = chunk->tag == NYTP_OPTION ? l->options : l->attributes;
        slot = read_data_slot(aTHX_ l, hv, chunk->attribute.key);
        put(aTHX_ slot, read_data_string(aTHX_ l, chunk->attribute.value));
        break;
    case NYTP_PID_START: begin_process(aTHX_ l, chunk->pid_start.pid, chunk->pid_start.time_s); break;
    case NYTP_PID_END: end_process(l, chunk->pid_end.pid, chunk->pid_end.time_s); break;
    case NYTP_NEW_FID: read_files_add(aTHX_ l, chunk); break;
    case NYTP_SRC_LINE: read_files_add_source(aTHX_ l, chunk); break;
    case NYTP_SUB_INFO: read_subs_add_info(aTHX_ l, chunk); break;
    case NYTP_SUB_CALLERS: read_subs_add_callers(aTHX_ l, chunk); break;
    case NYTP_TIME_LINE:
    case NYTP_TIME_BLOCK:
    case NYTP_DISCOUNT:
    case NYTP_SUB_ENTRY:
    case NYTP_SUB_RETURN:
    case NYTP_COVER_UNIT:
    case NYTP_COVER_HIT:
    case NYTP_COMMENT:
    case NYTP_START_DEFLATE:
    case NYTP_VERSION: break;
    }
}

/* Returns what nytp_reader_next() returned last. */
static int read_all(pTHX_ read_data *l)
{
    enum { SIGNALS_EVERY = 1 << 16 };
    nytp_chunk chunk;
    int rc;
    for (uint32_t n = 1; (rc = nytp_reader_next(l->reader, &chunk)) == NYTP_OK; n++) {
        if (chunk.tag == NYTP_TIME_LINE || chunk.tag == NYTP_TIME_BLOCK)
            add_statement(aTHX_ l, &chunk);
        else if (chunk.tag == NYTP_DISCOUNT)
            l->discounted = true;
        else
            add_other(aTHX_ l, &chunk);
        if (n % SIGNALS_EVERY == 0)
            PERL_ASYNC_CHECK();
    }
    return rc;
}

static void release(pTHX_ void *p)
{
    PERL_UNUSED_CONTEXT;
    read_data *l = p;
    nytp_reader_free(l->reader);
    read_lines_free(&l->line_times);
    read_lines_free(&l->block_times);
    read_lines_free(&l->sub_times);
    nytp_pids_clear(&l->open_pids);
    Safefree(l->open_start_s);
    Safefree(l);
}

static SV *put_in(pTHX_ HV *hv, const char *key, SV *value)
{
    (void)hv_store(hv, key, (I32)strlen(key), newRV_noinc(value), 0);
    return value;
}

static void put_times(pTHX_ read_data *l, read_lines *times, const char *key, const char *mode)
{
    AV *by_fid = MUTABLE_AV(put_in(aTHX_ l->profile, key, MUTABLE_SV(newAV())));
    read_lines_to_av(aTHX_ times, by_fid, nytp_reader_ticks_per_sec(l->reader));
    HV *modes = MUTABLE_HV(SvRV(*hv_fetchs(l->profile, "profile_modes", 0)));
    (void)hv_store(modes, key, (I32)strlen(key), newSVpv(mode, 0), 0);
}

static read_data *begin(pTHX_ HV *profile, const char *path)
{
    read_data *l;
    Newxz(l, 1, read_data);
    SAVEDESTRUCTOR_X(release, l);
    l->reader = read_bound_reader(aTHX_ path);
    l->bound = (read_bound){.reader = l->reader, .path = path};
    l->line_times.bound = l->block_times.bound = l->sub_times.bound = &l->bound;
    nytp_reader_set_tags(l->reader, ~(NYTP_BIT(SUB_ENTRY) | NYTP_BIT(SUB_RETURN)));
    l->profile = profile;
    l->attributes = MUTABLE_HV(put_in(aTHX_ profile, "attribute", MUTABLE_SV(newHV())));
    l->options = MUTABLE_HV(put_in(aTHX_ profile, "option", MUTABLE_SV(newHV())));
    l->subs = MUTABLE_HV(put_in(aTHX_ profile, "sub_subinfo", MUTABLE_SV(newHV())));
    l->files = MUTABLE_AV(put_in(aTHX_ profile, "fid_fileinfo", MUTABLE_SV(newAV())));
    l->source = MUTABLE_AV(put_in(aTHX_ profile, "fid_srclines", MUTABLE_SV(newAV())));
    put_in(aTHX_ profile, "profile_modes", MUTABLE_SV(newHV()));
    return l;
}

void read_load_profile(pTHX_ HV *profile, const char *path, SV **error, SV **warning)
{
    ENTER;
    read_data *l = begin(aTHX_ profile, path);
    int rc = read_all(aTHX_ l);
    if (rc == NYTP_END) {
        read_subs_place_rest(aTHX_ l);
        set_sums(aTHX_ l);
        put_times(aTHX_ l, &l->line_times, "fid_line_time", "line");
        if (l->block_times.files != NULL) {
            put_times(aTHX_ l, &l->block_times, "fid_block_time", "block");
            put_times(aTHX_ l, &l->sub_times, "fid_sub_time", "sub");
        }
    }
    read_stream_problems(aTHX_ l->reader, path, rc, error, warning);
    LEAVE;
}
