/* Where statements, arcs and source lines are shown: where the eval is that they are in, or where its sub is
 * shown.
 *
 * What an input says of an eval that is not the first of its place has to wait until the subs of the input
 * are known (folds.h), which come at its end. When too much waits, the input is read once more, for its subs
 * alone.
 */
#include "cli/say.h"
#include "merging.h"

#include "remarks.h"

#include <inttypes.h>
#include <math.h>

/* ---- where a chunk belongs ---- */

/* Fids of the merged profile. */
typedef struct merged_place {
    uint32_t fid;    /* where it is shown */
    uint32_t origin; /* where it was; another one for an eval's that is shown in the first of its place */
    bool is_eval;
} merged_place;

const merge_file *merging_named_file(merging *m, const nytp_chunk *chunk, uint32_t fid)
{
    const merge_file *file = merge_files_find(m->files, fid);
    if (file == NULL && fid != 0 && !m->failed) {
        nytp_say("%s: offset %" PRIu64 ": a %s chunk of fid %" PRIu32 ", which was not named",
                 merge_inputs_name(m->inputs, m->input), chunk->offset, nytp_tag_name((int)chunk->tag), fid);
        m->failed = true;
    }
    return file;
}

/* A second name would be too late: chunks of the fid were handed on as those of the file with the first one,
 * which other inputs may have, too. */
bool merging_learn_file(merging *m, const nytp_chunk *chunk)
{
    bool learned = merge_files_learn(m->files, chunk);
    if (!learned && !m->failed)
        nytp_say("%s: offset %" PRIu64 ": a NEW_FID chunk of fid %" PRIu32 ", which had another name",
                 merge_inputs_name(m->inputs, m->input), chunk->offset, chunk->new_fid.fid);
    m->failed |= !learned;
    return learned;
}

/* The fid, of the input, that the chunk stems from; uses up the remark. */
static uint32_t origin_of(merging *m, uint32_t fid)
{
    uint32_t origin = m->origin != 0 ? m->origin : fid;
    m->origin = 0;
    return origin;
}

static merged_place place_of(merging *m, const nytp_chunk *chunk, uint32_t fid, uint32_t line)
{
    const merge_file *file = merging_named_file(m, chunk, fid);
    if (file == NULL)
        return (merged_place){0};
    bool moved = file->has_moved && merge_files_has_moved(m->files, file, line);
    return (merged_place){moved ? file->first : file->fid, file->fid, file->is_eval};
}

static void put_origin(merging *m, merged_place place)
{
    if (place.fid != place.origin)
        merge_output_origin(&m->out, place.origin);
}

/* ---- statements, arcs and source ---- */

static void put_discount(merging *m)
{
    if (m->discount)
        merge_output_put(&m->out, &(nytp_chunk){.tag = NYTP_DISCOUNT});
    m->discount = false;
}

/* Ticks that have become too many for one chunk go into several, of which all but one have a DISCOUNT. Only
 * with an absurd ticks_per_sec are there too many for that. */
static void put_scaled(merging *m, nytp_chunk *time, merged_place place)
{
    const double most_ticks = 1000.0 * INT32_MAX;
    bool discount = m->discount;
    double ticks = round(time->time.ticks * m->scale);
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

static void put_time(merging *m, const nytp_chunk *chunk)
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

static void add_arc(merging *m, const nytp_chunk *chunk)
{
    merged_place place = place_of(m, chunk, chunk->sub_callers.fid, chunk->sub_callers.line);
    nytp_chunk callers = *chunk;
    callers.sub_callers.fid = place.fid;
    merge_arcs_add(m->arcs, &callers, place.origin);
}

static void put_src_line(merging *m, const nytp_chunk *chunk)
{
    merged_place place = place_of(m, chunk, chunk->src_line.fid, chunk->src_line.line);
    if (!place.is_eval &&
        !merge_texts_is_new(m->texts, place.fid, chunk->src_line.line, chunk->src_line.text))
        return;
    nytp_chunk line = *chunk;
    line.src_line.fid = place.fid;
    put_origin(m, place);
    merge_output_put(&m->out, &line);
}

static void release(void *context, const nytp_chunk *chunk, bool discount)
{
    merging *m = context;
    if (chunk->tag == NYTP_SUB_CALLERS) {
        add_arc(m, chunk);
    } else if (chunk->tag == NYTP_SRC_LINE) {
        put_src_line(m, chunk);
    } else {
        m->discount = discount;
        put_time(m, chunk);
    }
}

void merging_settle(merging *m)
{
    bool discount = m->discount;
    merge_folds_settle(m->folds, m->files);
    merge_files_settle(m->files);
    m->settled = true;
    m->discount = false;
    merge_later_release(m->later, release, m);
    m->discount = discount;
}

static void take_sub(merging *m, const nytp_chunk *chunk, GArray *definers)
{
    merge_folds_take(m->folds, chunk, (const uint32_t *)(const void *)definers->data, definers->len);
    g_array_set_size(definers, 0);
}

void merging_take_sub_info(merging *m, const nytp_chunk *chunk)
{
    if (!m->settled)
        take_sub(m, chunk, m->definers);
    g_array_set_size(m->definers, 0);
}

/* Damage will be met and told again when the rest is read; what went wrong this time alone is told here. */
static void tell_of_subs(merging *m, const nytp_reader *reader, int rc)
{
    if (reader != NULL && rc != NYTP_ERR_IO && rc != NYTP_ERR_MEMORY)
        return;
    nytp_say("%s", reader != NULL ? nytp_reader_error(reader)->message : "out of memory");
    m->failed = true;
}

/* Reads the input for its files and subs alone. */
static void read_subs(merging *m)
{
    nytp_reader *reader = nytp_reader_new(merge_inputs_open(m->inputs, m->input));
    GArray *definers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    nytp_chunk chunk;
    int rc = NYTP_OK;
    if (reader != NULL)
        nytp_reader_set_wanted(reader, nytp_tag_bit(NYTP_NEW_FID) | nytp_tag_bit(NYTP_SUB_INFO) |
                                           nytp_tag_bit(NYTP_COMMENT));
    merge_folds_drop(m->folds);
    while (reader != NULL && (rc = nytp_reader_next(reader, &chunk)) == NYTP_OK) {
        if (chunk.tag == NYTP_NEW_FID)
            merging_learn_file(m, &chunk);
        else if (chunk.tag == NYTP_SUB_INFO)
            take_sub(m, &chunk, definers);
        else if (m->was_merged && merge_remark_kind(chunk.comment.text) == MERGE_DEFINERS)
            merge_remark_take_definers(chunk.comment.text, definers);
    }
    tell_of_subs(m, reader, rc);
    g_array_free(definers, TRUE);
    nytp_reader_free(reader);
}

/* Source lines must stay in their order: of several for one place the last one counts. */
static bool has_to_wait(const merging *m, const nytp_chunk *chunk, uint32_t fid)
{
    const merge_file *file = merge_files_find(m->files, fid);
    if (m->settled || file == NULL)
        return false;
    return file->first != file->fid ||
           (file->is_eval && chunk->tag == NYTP_SRC_LINE && merge_later_has_source(m->later));
}

/* Keeps the chunk, which is of fid, if it has to wait. */
static bool waits(merging *m, const nytp_chunk *chunk, uint32_t fid)
{
    if (!has_to_wait(m, chunk, fid))
        return false;
    if (merge_later_keep(m->later, chunk, m->discount)) {
        if (chunk->tag == NYTP_TIME_LINE || chunk->tag == NYTP_TIME_BLOCK)
            m->discount = false;
        return true;
    }
    read_subs(m);
    merging_settle(m);
    return false;
}

void merging_take_time(merging *m, const nytp_chunk *chunk)
{
    nytp_chunk time = *chunk;
    m->ticks += chunk->time.ticks;
    time.time.fid = origin_of(m, chunk->time.fid);
    if (!waits(m, &time, time.time.fid))
        put_time(m, &time);
}

void merging_take_sub_callers(merging *m, const nytp_chunk *chunk)
{
    nytp_chunk callers = *chunk;
    callers.sub_callers.fid = origin_of(m, chunk->sub_callers.fid);
    if (!waits(m, &callers, callers.sub_callers.fid))
        add_arc(m, &callers);
}

void merging_take_src_line(merging *m, const nytp_chunk *chunk)
{
    nytp_chunk line = *chunk;
    line.src_line.fid = origin_of(m, chunk->src_line.fid);
    if (!m->options->no_source && !waits(m, &line, line.src_line.fid))
        put_src_line(m, &line);
}
