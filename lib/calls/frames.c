#include "calls/frames.h"

#include "events/traces.h"
#include "model/display.h"
#include "model/eval_name.h"
#include "model/grow.h"

#include <glib.h>
#include <string.h>

typedef struct place {
    const char *file; /* in files; NULL: not known */
    uint32_t first_line, last_line;
    enum nytp_label_kind label_kind;
} place;

struct nytp_frames {
    bool keep_evals;
    nytp_names *raw, *shown;
    GArray *shown_of;    /* uint32_t: number of the shown name + 1, by that of the raw one; 0: not known */
    GArray *places;      /* place, by number of the shown name; may be shorter */
    GStringChunk *files; /* names, each once */
};

nytp_frames *nytp_frames_new(bool keep_evals)
{
    enum { FILE_BLOCK = 4096 };
    nytp_frames *f = g_new0(nytp_frames, 1);
    f->keep_evals = keep_evals;
    f->raw = nytp_names_new();
    f->shown = nytp_names_new();
    f->shown_of = NYTP_ZEROED_ARRAY(uint32_t);
    f->places = NYTP_ZEROED_ARRAY(place);
    f->files = g_string_chunk_new(FILE_BLOCK);
    return f;
}

void nytp_frames_free(nytp_frames *frames)
{
    if (frames == NULL)
        return;
    nytp_names_free(frames->raw);
    nytp_names_free(frames->shown);
    g_array_free(frames->shown_of, TRUE);
    g_array_free(frames->places, TRUE);
    g_string_chunk_free(frames->files);
    g_free(frames);
}

char *nytp_frames_rename(void *frames, nytp_str raw, size_t *length)
{
    const nytp_frames *f = frames;
    if (f->keep_evals)
        return nytp_name_utf8(raw, length);
    nytp_str merged = {.utf8 = raw.utf8};
    g_autofree char *bytes = nytp_eval_name_merge(raw, &merged.length);
    merged.bytes = bytes;
    return nytp_name_utf8(merged, length);
}

uint32_t nytp_frames_of_shown(nytp_frames *frames, nytp_str shown)
{
    return nytp_names_intern(frames->shown, &shown, NULL);
}

uint32_t nytp_frames_without_trace(nytp_frames *frames, uint32_t number)
{
    nytp_str name = nytp_names_get(frames->shown, number), trace, span;
    return nytp_trace_of_name(&name, &trace, &span) ? nytp_frames_of_shown(frames, name) : number;
}

nytp_names *nytp_frames_names(nytp_frames *frames)
{
    return frames->raw;
}

static uint32_t show_new(nytp_frames *f, uint32_t raw)
{
    size_t length;
    g_autofree char *name = nytp_frames_rename(f, nytp_names_get(f->raw, raw), &length);
    const uint32_t shown = nytp_frames_of_shown(f, (nytp_str){name, length, true});
    if (raw >= f->shown_of->len)
        g_array_set_size(f->shown_of, raw + 1);
    g_array_index(f->shown_of, uint32_t, raw) = shown + 1;
    return shown;
}

uint32_t nytp_frames_of(nytp_frames *frames, uint32_t raw)
{
    const uint32_t shown = raw < frames->shown_of->len ? g_array_index(frames->shown_of, uint32_t, raw) : 0;
    return shown > 0 ? shown - 1 : show_new(frames, raw);
}

uint32_t nytp_frames_of_raw(nytp_frames *frames, const nytp_str *raw)
{
    return nytp_frames_of(frames, nytp_names_intern(frames->raw, raw, NULL));
}

static place *place_of(nytp_frames *f, const nytp_sub *sub)
{
    uint32_t number = nytp_frames_of_raw(f, &sub->name);
    if (number >= f->places->len)
        g_array_set_size(f->places, number + 1);
    return &g_array_index(f->places, place, number);
}

static void locate(nytp_frames *f, const nytp_profile *profile, const nytp_sub *sub)
{
    const nytp_range *range = nytp_sub_main_range(sub);
    const nytp_file *file = range != NULL ? nytp_profile_file_by_fid(profile, range->fid) : NULL;
    if (file == NULL || file->name.length == 0 || range->first_line == 0 || sub->kind != NYTP_SUB_PERL)
        return;
    place *p = place_of(f, sub);
    if (p->file != NULL)
        return;
    size_t length;
    g_autofree char *name = nytp_frames_rename(f, file->name, &length);
    p->file = g_string_chunk_insert_const(f->files, name);
    p->first_line = range->first_line;
    p->last_line = range->last_line;
}

void nytp_frames_locate(nytp_frames *frames, const nytp_profile *profile)
{
    nytp_sub sub;
    nytp_label label;
    for (uint32_t i = 0; nytp_profile_sub(profile, i, &sub); i++) {
        locate(frames, profile, &sub);
        if (nytp_sub_label(profile, sub.name, &label))
            place_of(frames, &sub)->label_kind = label.kind;
    }
}

uint32_t nytp_frames_count(const nytp_frames *frames)
{
    return nytp_names_count(frames->shown);
}

/* That of a string eval is the statement that runs it. */
static nytp_frame eval_frame(nytp_str name)
{
    const nytp_place_name at = nytp_eval_frame_place(name);
    return (nytp_frame){.name = name, .file = at.file, .first_line = at.line, .last_line = at.line};
}

nytp_frame nytp_frames_get(const nytp_frames *frames, uint32_t number)
{
    nytp_frame frame = {.name = nytp_names_get(frames->shown, number), .file = {"", 0, true}};
    if (nytp_is_eval_frame(frame.name))
        return eval_frame(frame.name);
    const bool is_traced = nytp_trace_of_name(&frame.name, &frame.trace, &frame.span);
    const place none = {.label_kind = is_traced ? NYTP_LABEL_SPAN : NYTP_LABEL_NONE};
    const place *p =
        number < frames->places->len && !is_traced ? &g_array_index(frames->places, place, number) : &none;
    if (p->file != NULL)
        frame.file = (nytp_str){p->file, strlen(p->file), true};
    const char *blank =
        p->label_kind != NYTP_LABEL_NONE ? memchr(frame.name.bytes, ' ', frame.name.length) : NULL;
    if (blank != NULL) {
        frame.label_kind = p->label_kind;
        frame.label = (nytp_str){blank + 1, frame.name.length - (size_t)(blank + 1 - frame.name.bytes),
                                 frame.name.utf8};
    }
    frame.first_line = p->first_line;
    frame.last_line = p->last_line;
    return frame;
}
