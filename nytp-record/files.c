#include "files.h"

#include "sampler/strings.h"

#include "model/eval_name.h"

#include <glib.h>
#include <string.h>

typedef struct file {
    uint32_t fid;   /* 0: it has none yet */
    uint32_t shown; /* number of the name in the profile; RECORD_NO_STRING: not asked for yet */
    bool is_eval, is_placed;
    uint32_t in_file, in_line; /* of an eval that is placed */
} file;

struct record_files {
    nytp_writer *writer;
    nytp_strings *strings;
    char *directory;
    GArray *files; /* of file, by the number of the name */
    uint32_t last_fid, unknown_invoker;
};

record_files *record_files_new(nytp_writer *writer, nytp_strings *strings, const char *directory)
{
    record_files *f = g_new0(record_files, 1);
    f->writer = writer;
    f->strings = strings;
    f->directory = g_strdup(directory);
    f->files = g_array_new(FALSE, TRUE, sizeof(file));
    return f;
}

void record_files_free(record_files *f)
{
    if (f == NULL)
        return;
    g_array_free(f->files, TRUE);
    g_free(f->directory);
    g_free(f);
}

static const char *text_of(const record_files *f, uint32_t name)
{
    size_t length;
    return nytp_strings_get(f->strings, name, &length);
}

/* `(eval N)` and `(re_eval N)`, whose places perl does not name. */
static bool is_unnamed_eval(const char *name)
{
    nytp_eval_name eval;
    return nytp_eval_name_parse((nytp_str){name, strlen(name), false}, &eval) && eval.file.length == 0;
}

/* Valid until the next call. */
static file *file_of(record_files *f, uint32_t name)
{
    while (f->files->len <= name) {
        file new = {.shown = RECORD_NO_STRING};
        new.is_eval = is_unnamed_eval(text_of(f, f->files->len));
        g_array_append_val(f->files, new);
    }
    return &g_array_index(f->files, file, name);
}

/* Whether one file is another one, or an eval in it. */
static bool is_within(record_files *f, uint32_t inner, uint32_t outer)
{
    while (inner != outer && file_of(f, inner)->is_placed)
        inner = file_of(f, inner)->in_file;
    return inner == outer;
}

/* With #line a program can have evals be within each other, which is left out. */
void record_files_eval_at(record_files *f, uint32_t name, uint32_t in_file, uint32_t in_line)
{
    if (name == RECORD_NO_STRING || in_file == RECORD_NO_STRING)
        return;
    const file *known = file_of(f, name);
    if (!known->is_eval || known->is_placed || known->shown != RECORD_NO_STRING ||
        is_within(f, in_file, name))
        return;
    file *eval = file_of(f, name);
    eval->is_placed = true;
    eval->in_file = in_file;
    eval->in_line = in_line;
}

uint32_t record_files_shown(record_files *f, uint32_t name)
{
    file known = *file_of(f, name);
    if (known.shown != RECORD_NO_STRING)
        return known.shown;
    uint32_t shown = name;
    if (known.is_placed) {
        const char *parent = text_of(f, record_files_shown(f, known.in_file));
        char *text = g_strdup_printf("%s[%s:%u]", text_of(f, name), parent, known.in_line);
        shown = record_intern(f->strings, text, strlen(text));
        g_free(text);
    }
    file_of(f, name)->shown = shown;
    return shown;
}

static uint32_t write_file(record_files *f, const char *name, uint32_t parent, uint32_t line, uint32_t flags)
{
    nytp_chunk chunk = {.tag = NYTP_NEW_FID};
    chunk.new_fid.fid = ++f->last_fid;
    chunk.new_fid.eval_fid = parent;
    chunk.new_fid.eval_line = line;
    chunk.new_fid.flags = flags | NYTP_FID_VIA_STMT | NYTP_FID_VIA_SUB;
    chunk.new_fid.name = (nytp_str){name, strlen(name), false};
    nytp_writer_chunk(f->writer, &chunk); /* an error sticks, and is found when the writer finishes */
    return f->last_fid;
}

/* As the collector does: absolute, but for what is no file. */
static char *absolute(const record_files *f, const char *name)
{
    if (name[0] == '/' || name[0] == '(' || strcmp(name, "-") == 0 || strcmp(name, "-e") == 0 ||
        f->directory[0] == '\0')
        return g_strdup(name);
    while (g_str_has_prefix(name, "./"))
        name += 2;
    return g_strdup_printf("%s/%s", strcmp(f->directory, "/") == 0 ? "" : f->directory, name);
}

static uint32_t add_eval(record_files *f, uint32_t name)
{
    uint32_t shown = record_files_shown(f, name), parent, line;
    file eval = *file_of(f, name);
    if (eval.is_placed) {
        parent = record_files_fid(f, eval.in_file);
        line = eval.in_line;
    } else {
        if (f->unknown_invoker == 0)
            f->unknown_invoker = write_file(f, "/unknown-eval-invoker", 0, 0, NYTP_FID_IS_FAKE);
        parent = f->unknown_invoker;
        line = 1;
    }
    return write_file(f, text_of(f, shown), parent, line, NYTP_FID_IS_EVAL);
}

uint32_t record_files_fid(record_files *f, uint32_t name)
{
    if (name == RECORD_NO_STRING)
        return 0;
    file known = *file_of(f, name);
    if (known.fid != 0)
        return known.fid;
    uint32_t fid;
    if (known.is_eval) {
        fid = add_eval(f, name);
    } else {
        const char *text = text_of(f, name);
        bool is_given = strcmp(text, "-e") == 0 || strcmp(text, "-") == 0;
        char *path = absolute(f, text);
        fid = write_file(f, path, 0, 0, is_given ? NYTP_FID_IS_EVAL : 0);
        g_free(path);
    }
    file_of(f, name)->fid = fid;
    return fid;
}
