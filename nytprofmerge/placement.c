#include "state.h"

#include "base/hash.h"
#include "bytes/source.h"
#include "calls/derive_arcs.h"
#include "cli/read.h"
#include "cli/say.h"
#include "events/filter.h"
#include "format/tags.h"
#include "model/annotations.h"
#include "model/grow.h"
#include "model/profile.h"

#include <inttypes.h>
#include <math.h>

/* Where a chunk goes; fids of the merged profile. */
typedef struct merged_place {
    uint32_t fid;    /* of the file that shows it */
    uint32_t origin; /* of its own file; not fid if the line has moved to the first eval of its place */
    bool is_eval;
} merged_place;

const nytp_mapped_file *merge_named_file(merge_state *m, const nytp_chunk *chunk, uint32_t fid)
{
    const nytp_mapped_file *file = nytp_fid_map_find(m->fid_map, fid);
    if (file == NULL && fid != 0 && !m->failed) {
        nytp_say("%s: offset %" PRIu64 ": a %s chunk of fid %" PRIu32 ", which was not named",
                 merge_inputs_name(m->inputs, m->input), chunk->offset, nytp_tag_name((int)chunk->tag), fid);
        m->failed = true;
    }
    return file;
}

/* A second name for a fid comes too late: chunks of the fid were written with the fid of the first name,
 * which other inputs may have, too. */
bool merge_add_file(merge_state *m, const nytp_chunk *chunk)
{
    bool learned = nytp_fid_map_add(m->fid_map, chunk);
    if (!learned && !m->failed)
        nytp_say("%s: offset %" PRIu64 ": a NEW_FID chunk of fid %" PRIu32 ", which had another name",
                 merge_inputs_name(m->inputs, m->input), chunk->offset, chunk->new_fid.fid);
    m->failed |= !learned;
    return learned;
}

/* Returns the fid (of the input) from which the chunk comes: that of the annotation before it, if there is
 * one, otherwise its own. An annotation is used once. */
static uint32_t use_origin(merge_state *m, uint32_t fid)
{
    uint32_t origin = m->origin != 0 ? m->origin : fid;
    m->origin = 0;
    return origin;
}

static merged_place place_of(merge_state *m, const nytp_chunk *chunk, uint32_t fid, uint32_t line)
{
    const nytp_mapped_file *file = merge_named_file(m, chunk, fid);
    if (file == NULL)
        return (merged_place){0};
    return (merged_place){nytp_fid_map_place(m->fid_map, file, line), file->fid, file->is_eval};
}

static void put_origin(merge_state *m, merged_place place)
{
    if (place.fid != place.origin)
        merge_output_origin(&m->out, place.origin);
}

static void put_discount(merge_state *m)
{
    if (m->discount)
        merge_output_put(&m->out, &(nytp_chunk){.tag = NYTP_DISCOUNT});
    m->discount = false;
}

/* Scales the ticks of a statement. If they no longer fit into one chunk, writes several, of which one counts,
 * and leaves the last to the caller. What rounding leaves out, the next statement has. Only an absurd
 * ticks_per_sec gives more than most_ticks. */
static void put_scaled(merge_state *m, nytp_chunk *time, merged_place place)
{
    const double most_ticks = 1000.0 * INT32_MAX;
    bool discount = m->discount;
    const double exact_ticks = time->time.ticks * m->scale + m->rounded_ticks;
    double ticks = round(exact_ticks);
    m->rounded_ticks = exact_ticks - ticks;
    if (fabs(ticks) > most_ticks) {
        if (!m->failed)
            nytp_say("%s: ticks_per_sec is too far from that of the others",
                     merge_inputs_name(m->inputs, m->input));
        m->failed = true;
        ticks = 0;
    }
    for (; fabs(ticks) > INT32_MAX; ticks -= time->time.ticks) {
        time->time.ticks = ticks > 0 ? INT32_MAX : -INT32_MAX;
        m->discount = true;
        put_origin(m, place);
        put_discount(m);
        merge_output_put(&m->out, time);
    }
    m->discount = discount;
    time->time.ticks = (int32_t)ticks;
}

static void put_time(merge_state *m, const nytp_chunk *chunk)
{
    merged_place place = place_of(m, chunk, chunk->time.fid, chunk->time.line);
    nytp_chunk time = *chunk;
    time.time.fid = place.fid;
    if (m->scale != 1)
        put_scaled(m, &time, place);
    put_origin(m, place);
    put_discount(m);
    merge_output_put(&m->out, &time);
}

static void add_arc(merge_state *m, const nytp_chunk *chunk)
{
    merged_place place = place_of(m, chunk, chunk->sub_callers.fid, chunk->sub_callers.line);
    nytp_chunk callers = *chunk;
    callers.sub_callers.fid = place.fid;
    merge_arcs_add(m->arcs, &callers, &m->kept, place.origin);
    m->kept = (nytp_mark){0};
}

/* Returns whether the text differs from the last one of that line. */
static bool is_new_text(merge_state *m, uint32_t fid, uint32_t line, nytp_str text)
{
    bool is_new;
    const merge_source_text given = {fid, line, nytp_hash_bytes(text.bytes, text.length)};
    const uint32_t number = nytp_records_number(&m->source_texts, &given, &is_new);
    merge_source_text *last = nytp_records_at(&m->source_texts, number);
    is_new |= last->hash != given.hash;
    last->hash = given.hash;
    return is_new;
}

static void put_src_line(merge_state *m, const nytp_chunk *chunk)
{
    merged_place place = place_of(m, chunk, chunk->src_line.fid, chunk->src_line.line);
    if (!place.is_eval && !is_new_text(m, place.fid, chunk->src_line.line, chunk->src_line.text))
        return;
    nytp_chunk line = *chunk;
    line.src_line.fid = place.fid;
    put_origin(m, place);
    merge_output_put(&m->out, &line);
}

void merge_place_subs(merge_state *m)
{
    nytp_fid_map_end_moves(m->fid_map);
    m->placed = true;
}

/* Reports an error that only a second reading had; without a reader that is done. Does not report damage,
 * which reading the input has reported, or will. */
static void report_second_reading(merge_state *m, const nytp_reader *reader, int rc)
{
    if (reader != NULL && rc != NYTP_ERR_IO && rc != NYTP_ERR_MEMORY)
        return;
    if (reader != NULL)
        nytp_say("%s", nytp_reader_error(reader)->message);
    m->failed = true;
}

/* Reads the wanted chunks of the profile that comes so many after the current one. */
static void skip_profiles(nytp_reader *reader, uint32_t count, uint32_t wanted)
{
    nytp_read_skip(reader, count);
    nytp_reader_set_tags(reader, wanted);
}

/* Opens the current file again. Returns NULL after saying why not. */
static nytp_reader *reopen(const merge_state *m, const nytp_common_options *options, uint32_t wanted)
{
    nytp_source *file = merge_inputs_open(m->inputs, m->input);
    return nytp_read_open(m->is_cut ? nytp_source_first(file, m->taken_bytes) : file, options, wanted);
}

static void add_sub(merge_state *m, const nytp_chunk *chunk, GArray *definers)
{
    nytp_sub_map_add(m->sub_map, m->fid_map, chunk, (const uint32_t *)(const void *)definers->data,
                     definers->len);
}

static void add_later_definers(merge_state *m, nytp_str text)
{
    g_autoptr(GArray) fids = NYTP_ARRAY(uint32_t);
    const uint32_t number = nytp_annotation_later_definers(text, fids);
    nytp_sub_map_add_definers(m->sub_map, m->fid_map, number - 1, (const uint32_t *)(const void *)fids->data,
                              fids->len);
}

/* Takes a chunk of the input that is read ahead. What was read before, *known, has been added. */
static void take_ahead(merge_state *m, const nytp_chunk *chunk, GArray *definers, uint32_t *known)
{
    const enum nytp_annotation kind = chunk->tag == NYTP_COMMENT && m->was_merged
                                          ? nytp_annotation_kind(chunk->comment.text)
                                          : NYTP_NO_ANNOTATION;
    if (chunk->tag == NYTP_NEW_FID)
        merge_add_file(m, chunk);
    else if (kind == NYTP_ANNOTATED_DEFINERS)
        nytp_annotation_definers(chunk->comment.text, definers);
    if (chunk->tag != NYTP_SUB_INFO && kind != NYTP_ANNOTATED_LATER_DEFINERS)
        return;
    if (*known > 0)
        --*known;
    else if (chunk->tag == NYTP_SUB_INFO)
        add_sub(m, chunk, definers);
    else
        add_later_definers(m, chunk->comment.text);
    g_array_set_size(definers, 0);
}

/* Reads the current profile ahead, for its files and subs alone. */
static void read_subs(merge_state *m)
{
    const uint32_t wanted = NYTP_BIT(NEW_FID) | NYTP_BIT(SUB_INFO) | NYTP_BIT(COMMENT);
    g_autoptr(GArray) definers = NYTP_ARRAY(uint32_t);
    nytp_common_options options = *m->common;
    options.filters = (nytp_filter_options){.no_labels = options.filters.no_labels};
    nytp_chunk chunk;
    uint32_t known = m->sub_infos;
    int rc = NYTP_OK;
    if (m->ahead == NULL)
        m->ahead = reopen(m, &options, wanted);
    if (m->ahead != NULL)
        skip_profiles(m->ahead, m->profile - m->ahead_profile, wanted);
    m->ahead_profile = m->profile;
    while (m->ahead != NULL && (rc = nytp_reader_next(m->ahead, &chunk)) == NYTP_OK)
        take_ahead(m, &chunk, definers, &known);
    report_second_reading(m, m->ahead, rc);
    merge_place_subs(m);
}

/* Notes where the sub of the last chunk that was read is shown. */
static void note_ranges(merge_state *m)
{
    size_t count = 0;
    const uint32_t *ranges = m->sub_infos < nytp_sub_map_added(m->sub_map)
                                 ? nytp_sub_map_ranges_of(m->sub_map, m->sub_infos, &count)
                                 : NULL;
    for (size_t i = 0; i < count; i++)
        merge_note_range(m, ranges[i]);
    m->sub_infos++;
}

/* Its file may be named after it. */
void merge_place_sub_info(merge_state *m, const nytp_chunk *chunk)
{
    const uint32_t fid = chunk->sub_info.fid;
    if (!m->placed && fid != 0 && nytp_fid_map_find(m->fid_map, fid) == NULL)
        read_subs(m);
    if (!m->placed)
        add_sub(m, chunk, m->definers);
    g_array_set_size(m->definers, 0);
    note_ranges(m);
}

void merge_place_later_definers(merge_state *m, nytp_str text)
{
    if (!m->placed)
        add_later_definers(m, text);
    m->sub_infos++;
}

/* Makes sure that it is known where the lines of the fid are shown. */
static void find_place(merge_state *m, uint32_t fid)
{
    const nytp_mapped_file *file = m->placed ? NULL : nytp_fid_map_find(m->fid_map, fid);
    if (file == NULL || file->first_fid == file->fid)
        return;
    read_subs(m);
}

void merge_place_time(merge_state *m, const nytp_chunk *chunk)
{
    nytp_chunk time = *chunk;
    m->ticks += chunk->time.ticks;
    time.time.fid = use_origin(m, chunk->time.fid);
    find_place(m, time.time.fid);
    put_time(m, &time);
}

void merge_place_sub_callers(merge_state *m, const nytp_chunk *chunk)
{
    nytp_chunk callers = *chunk;
    if (nytp_is_xsub_mark(chunk) && chunk->sub_callers.fid == 0) {
        merge_note_xsub(m, chunk);
        return;
    }
    callers.sub_callers.fid = use_origin(m, chunk->sub_callers.fid);
    find_place(m, callers.sub_callers.fid);
    add_arc(m, &callers);
}

void merge_place_src_line(merge_state *m, const nytp_chunk *chunk)
{
    nytp_chunk line = *chunk;
    line.src_line.fid = use_origin(m, chunk->src_line.fid);
    if (m->options->no_source)
        return;
    find_place(m, line.src_line.fid);
    put_src_line(m, &line);
}

/* ---- arcs that a cut profile lacks ---- */

static void add_sums(void *merge, const nytp_chunk *chunk)
{
    merge_place_sub_callers(merge, chunk);
}

static void add_sums_of(merge_state *m, nytp_profile *profile, const nytp_profile *calls)
{
    nytp_records missing = nytp_missing_arcs_of(profile, calls);
    NYTP_EACH_RECORD(nytp_arc, arc, &missing)
        nytp_arc_chunks(arc, profile->subs.names, profile->ticks_per_sec, add_sums, m);
    nytp_records_clear(&missing);
}

/* Reads the current profile again. */
static nytp_profile *read_again(merge_state *m, const nytp_common_options *options)
{
    nytp_profile *profile = nytp_profile_new();
    nytp_reader *reader = reopen(m, options, nytp_profile_tags());
    int rc = NYTP_OK;
    if (reader != NULL)
        skip_profiles(reader, m->profile, nytp_profile_tags());
    while (reader != NULL && rc == NYTP_OK)
        rc = nytp_profile_read(profile, reader);
    report_second_reading(m, reader, rc);
    nytp_reader_free(reader);
    return profile;
}

void merge_add_missing_arcs(merge_state *m)
{
    nytp_common_options with_sums = *m->common;
    with_sums.filters.sums = nytp_sum_calls_new();
    nytp_profile *profile = read_again(m, m->common), *calls = read_again(m, &with_sums);
    if (!m->failed)
        add_sums_of(m, profile, calls);
    nytp_profile_free(profile);
    nytp_profile_free(calls);
}
