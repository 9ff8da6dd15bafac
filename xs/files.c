/* Files: perl's names for them, numbered in order of first sight. */
#include "context.h"

#include <sys/stat.h>

static const char unknown_invoker[] = "/unknown-eval-invoker";

uint32_t prof_file_count(const prof *p)
{
    return prof_table_count(p->file_names);
}

uint32_t prof_fid_if_known(prof *p, const char *file, STRLEN length)
{
    int64_t number = prof_table_find(p->file_names, file, length, false);
    if (number >= 0)
        return (uint32_t)number + 1;
    int64_t piece =
        prof_table_count(p->piece_names) > 0 ? prof_table_find(p->piece_names, file, length, false) : -1;
    return piece >= 0 ? p->piece_fids[piece] : 0;
}

/* ---- what a name tells ---- */

static bool begins_with(const char *name, STRLEN length, const char *start)
{
    return length >= strlen(start) && memcmp(name, start, strlen(start)) == 0;
}

bool prof_is_eval(const char *name, STRLEN length)
{
    return begins_with(name, length, "(eval ") || begins_with(name, length, "(re_eval ");
}

static bool is_script_text(const char *name, STRLEN length)
{
    return (length == 1 && name[0] == '-') || (length == 2 && name[0] == '-' && name[1] == 'e');
}

/* "(eval 93)[/foo/bar.pl:42]" was invoked at line 42 of /foo/bar.pl. */
static void find_invoker(pTHX_ prof *p, prof_file *file, const char *name, STRLEN length, uint32_t via)
{
    const char *open = memchr(name, '[', length), *end = name + length;
    const char *colon = open != NULL && end[-1] == ']' ? memrchr(open, ':', (size_t)(end - open)) : NULL;
    /* A file that an eval makes known, before a statement did, has the eval's flags. */
    via |= NYTP_FID_IS_EVAL | NYTP_FID_SAVE_SRC;
    if (colon == NULL) {
        file->eval_fid = prof_fid(aTHX_ p, unknown_invoker, sizeof unknown_invoker - 1, false, via);
        file->eval_line = 1;
        return;
    }
    file->eval_fid = prof_fid(aTHX_ p, open + 1, (STRLEN)(colon - open - 1), false, via);
    file->eval_line = (uint32_t)strtoul(colon + 1, NULL, 10);
}

/* perl keeps the lines of a file in @{"_<file"} when it was told to save them. */
static AV *source_of(pTHX_ const char *name, STRLEN length)
{
    char *key = prof_alloc(length + 2);
    key[0] = '_';
    key[1] = '<';
    memcpy(key + 2, name, length);
    SV **found = hv_fetch(PL_defstash, key, (I32)(length + 2), 0);
    free(key);
    if (found == NULL || !isGV_with_GP(*found))
        return NULL;
    AV *lines = GvAV((GV *)*found);
    return lines != NULL && AvFILLp(lines) >= 0 ? lines : NULL;
}

/* Foo.pmc, where it is not older, is what perl loads for Foo.pm. */
static bool is_pmc(const char *name, STRLEN length)
{
    struct stat pm, pmc;
    if (length < 4 || memcmp(name + length - 3, ".pm", 3) != 0)
        return false;
    char *path = prof_alloc(length + 2);
    memcpy(path, name, length);
    bool has_pm = stat(path, &pm) == 0;
    path[length] = 'c';
    bool has_pmc = stat(path, &pmc) == 0;
    free(path);
    return has_pmc && (!has_pm || pmc.st_mtime >= pm.st_mtime);
}

static uint32_t flags_of(pTHX_ const prof *p, const char *name, STRLEN length, uint32_t via)
{
    /* What a hook in @INC returned is in no file either. */
    bool kept_by_perl =
        prof_is_eval(name, length) || is_script_text(name, length) || begins_with(name, length, "/loader/0x");
    uint32_t flags = via;
    if (p->options.savesrc || kept_by_perl)
        flags |= NYTP_FID_SAVE_SRC;
    if (source_of(aTHX_ name, length) != NULL)
        flags |= NYTP_FID_HAS_SRC;
    if (is_script_text(name, length))
        flags |= NYTP_FID_IS_EVAL;
    if (is_pmc(name, length))
        flags |= NYTP_FID_IS_PMC;
    return flags;
}

char *prof_absolute(const char *path, size_t length, size_t *whole_length)
{
    char cwd[4096 + 1];
    const bool relative = path[0] != '/';
    if (!relative || getcwd(cwd, sizeof cwd - 1) == NULL)
        cwd[0] = '\0';
    size_t before = strlen(cwd);
    if (before > 0 && cwd[before - 1] != '/') {
        cwd[before++] = '/';
        cwd[before] = '\0';
    }
    if (relative && begins_with(path, length, "./")) {
        path += 2;
        length -= 2;
    }
    char *whole = prof_alloc(before + length + 1);
    memcpy(stpcpy(whole, cwd), path, length);
    *whole_length = before + length;
    return whole;
}

/* The name to write: absolute, but for what is no path. */
static void set_shown_name(prof_file *file, const char *name, STRLEN length)
{
    if (length > 0 && !prof_is_eval(name, length) && !is_script_text(name, length)) {
        file->name = prof_absolute(name, length, &file->name_length);
        return;
    }
    file->name = prof_alloc(length + 1);
    memcpy(file->name, name, length);
    file->name_length = length;
}

/* ---- writing ---- */

static void write_file(prof *p, uint32_t fid)
{
    prof_file *file = &p->files[fid - 1];
    nytp_chunk chunk = {.tag = NYTP_NEW_FID};
    if (p->out == NULL || file->written)
        return;
    chunk.new_fid.fid = fid;
    chunk.new_fid.eval_fid = file->eval_fid;
    chunk.new_fid.eval_line = file->eval_line;
    chunk.new_fid.flags = file->flags;
    chunk.new_fid.name = (nytp_str){file->name, file->name_length, file->utf8};
    prof_output_chunk(p->out, &chunk);
    file->written = true;
}

void prof_files_write(prof *p, uint32_t first_fid)
{
    for (uint32_t fid = first_fid; fid <= prof_file_count(p); fid++) {
        p->files[fid - 1].written = false;
        write_file(p, fid);
    }
}

/* How long the end is that two paths share, in whole components. */
static size_t common_tail(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t whole = 0;
    for (size_t n = 1; n <= a_length && n <= b_length && a[a_length - n] == b[b_length - n]; n++)
        if ((n == a_length || a[a_length - n - 1] == '/') && (n == b_length || b[b_length - n - 1] == '/'))
            whole = n;
    return whole;
}

/* Of the files of that name the one in most of the same directories, for a module was split where it was
 * built (blib/lib/Some/Module.pm), and is loaded from elsewhere. 0: none has the name. */
static uint32_t fid_of_split(const prof *p, const char *name, STRLEN length)
{
    uint32_t best = 0;
    size_t best_tail = 1;
    for (uint32_t fid = 1; fid <= prof_file_count(p); fid++) {
        const prof_file *file = &p->files[fid - 1];
        size_t tail = common_tail(file->name, file->name_length, name, length);
        if (tail >= best_tail) {
            best = fid;
            best_tail = tail;
        }
    }
    return best;
}

/* An autosplit piece is part of the file that it was split from, under whatever name perl found that. */
static uint32_t whole_of_piece(pTHX_ prof *p, const char *name, STRLEN length, uint32_t via)
{
    static const char mark[] = " (autosplit into ";
    const char *found = ninstr(name, name + length, mark, mark + sizeof mark - 1);
    if (found == NULL)
        return 0;
    uint32_t fid = fid_of_split(p, name, (STRLEN)(found - name));
    if (fid == 0)
        fid = prof_fid(aTHX_ p, name, (STRLEN)(found - name), false, via);
    uint32_t piece = (uint32_t)prof_table_find(p->piece_names, name, length, true);
    if (piece >= p->piece_room) {
        p->piece_room = p->piece_room * 2 + 32;
        p->piece_fids = prof_realloc(p->piece_fids, p->piece_room * sizeof *p->piece_fids);
    }
    p->piece_fids[piece] = fid;
    return fid;
}

uint32_t prof_fid(pTHX_ prof *p, const char *name, STRLEN length, bool utf8, uint32_t via)
{
    uint32_t fid = prof_fid_if_known(p, name, length);
    if (fid != 0 || (fid = whole_of_piece(aTHX_ p, name, length, via)) != 0)
        return fid;
    fid = (uint32_t)prof_table_find(p->file_names, name, length, true) + 1;
    if (fid > p->file_room) {
        p->file_room = p->file_room * 2 + 32;
        p->files = prof_realloc(p->files, p->file_room * sizeof *p->files);
    }
    prof_file file = {.utf8 = utf8};
    p->files[fid - 1] = (prof_file){0};
    if (prof_is_eval(name, length)) /* its invoker's number is after its own, as stock has it */
        find_invoker(aTHX_ p, &file, name, length, via);
    bool fake = length == sizeof unknown_invoker - 1 && begins_with(name, length, unknown_invoker);
    file.flags = fake ? via | NYTP_FID_IS_FAKE : flags_of(aTHX_ p, name, length, via);
    set_shown_name(&file, name, length);
    p->files[fid - 1] = file;
    write_file(p, fid);
    return fid;
}

/* ---- source ---- */

static void write_line(pTHX_ prof *p, uint32_t fid, uint32_t line, SV *text)
{
    nytp_chunk chunk = {.tag = NYTP_SRC_LINE};
    STRLEN length = 0;
    chunk.src_line.fid = fid;
    chunk.src_line.line = line;
    if (text != NULL && SvPOK(text)) {
        chunk.src_line.text.bytes = SvPV_nomg(text, length);
        chunk.src_line.text.length = length;
        chunk.src_line.text.utf8 = SvUTF8(text);
    }
    prof_output_chunk(p->out, &chunk);
}

/* Lines that perl has not kept are empty ones; but after a #line directive there
 * may be millions of them, which say nothing. */
static void write_lines(pTHX_ prof *p, uint32_t fid, AV *lines)
{
    enum { GAP_MAX = 1000 };
    SSize_t written = 0;
    for (SSize_t line = 1; line <= AvFILLp(lines); line++) {
        SV *text = AvARRAY(lines)[line];
        if (text == NULL || !SvPOK(text))
            continue;
        while (line - written <= GAP_MAX && ++written < line)
            write_line(aTHX_ p, fid, (uint32_t)written, NULL);
        write_line(aTHX_ p, fid, (uint32_t)line, text);
        written = line;
    }
}

void prof_files_write_source(pTHX_ prof *p, uint32_t last_fid)
{
    for (uint32_t fid = 1; fid <= last_fid; fid++) {
        size_t length;
        const char *name = prof_table_get(p->file_names, fid - 1, &length);
        AV *lines = (p->files[fid - 1].flags & NYTP_FID_SAVE_SRC) ? source_of(aTHX_ name, length) : NULL;
        if (lines != NULL)
            write_lines(aTHX_ p, fid, lines);
    }
    for (uint32_t piece = 0; p->options.savesrc && piece < prof_table_count(p->piece_names); piece++) {
        size_t length;
        const char *name = prof_table_get(p->piece_names, piece, &length);
        AV *lines = source_of(aTHX_ name, length);
        if (lines != NULL)
            write_lines(aTHX_ p, p->piece_fids[piece], lines);
    }
}
