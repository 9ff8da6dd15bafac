#include "names/files.h"

#include "context.h"
#include "basics/alloc.h"
#include "basics/paths.h"

#include <sys/stat.h>

static const char unknown_invoker[] = "/unknown-eval-invoker";

void prof_files_init(prof_files *files)
{
    files->names = prof_strings_new();
    files->split_names = prof_strings_new();
}

void prof_files_free(prof_files *files)
{
    for (uint32_t i = 0; i < prof_file_count(files); i++)
        free(files->at[i].name);
    nytp_strings_free(files->names);
    nytp_strings_free(files->split_names);
    free(files->split_fids);
    free(files->at);
}

uint32_t prof_file_count(const prof_files *files)
{
    return nytp_strings_count(files->names);
}

uint32_t prof_fid_if_known(prof_files *files, const char *name, STRLEN length)
{
    int64_t number = nytp_strings_find(files->names, name, length);
    if (number >= 0)
        return (uint32_t)number + 1;
    if (nytp_strings_count(files->split_names) == 0)
        return 0;
    number = nytp_strings_find(files->split_names, name, length);
    return number >= 0 ? files->split_fids[number] : 0;
}

/* Returns the lines of the file that perl calls `name`. Perl keeps them in @{"_<file"} if $^P asks for it;
 * otherwise returns NULL. */
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

static bool begins_with(const char *name, STRLEN length, const char *start)
{
    return length >= strlen(start) && memcmp(name, start, strlen(start)) == 0;
}

bool prof_is_eval(const char *name, STRLEN length)
{
    return begins_with(name, length, "(eval ") || begins_with(name, length, "(re_eval ");
}

/* Standard input, or -e. */
static bool is_script_text(const char *name, STRLEN length)
{
    return (length == 1 && name[0] == '-') || (length == 2 && name[0] == '-' && name[1] == 'e');
}

/* "(eval 93)[/foo/bar.pl:42]" was invoked at line 42 of /foo/bar.pl. */
static void find_invoker(pTHX_ prof *p, prof_file *file, const char *name, STRLEN length, uint32_t via)
{
    const char *open = memchr(name, '[', length), *end = name + length;
    const char *colon = open != NULL && end[-1] == ']' ? memrchr(open, ':', (size_t)(end - open)) : NULL;
    /* If an eval is seen before any statement of the file around it, the file gets the eval's flags. */
    via |= NYTP_FID_IS_EVAL | NYTP_FID_SAVE_SRC;
    if (colon == NULL) {
        file->eval_fid = prof_fid(aTHX_ p, unknown_invoker, sizeof unknown_invoker - 1, via);
        file->eval_line = 1;
        return;
    }
    file->eval_fid = prof_fid(aTHX_ p, open + 1, (STRLEN)(colon - open - 1), via);
    file->eval_line = (uint32_t)strtoul(colon + 1, NULL, 10);
}

/* Perl loads Foo.pmc instead of Foo.pm, unless it is older. */
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
    /* What a hook in @INC has returned is not in a file either. */
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

/* Sets the name to write: a path is made absolute. */
static void set_written_name(prof_file *file, const char *name, STRLEN length)
{
    if (length > 0 && !prof_is_eval(name, length) && !is_script_text(name, length)) {
        file->name = prof_absolute(name, length, &file->name_length);
        return;
    }
    file->name = prof_alloc(length + 1);
    memcpy(file->name, name, length);
    file->name_length = length;
}

static void write_file(prof *p, uint32_t fid)
{
    prof_file *file = &p->files.at[fid - 1];
    if (p->out == NULL || file->written)
        return;
    nytp_chunk chunk = {.tag = NYTP_NEW_FID};
    chunk.new_fid.fid = fid;
    chunk.new_fid.eval_fid = file->eval_fid;
    chunk.new_fid.eval_line = file->eval_line;
    chunk.new_fid.flags = file->flags;
    chunk.new_fid.name = (nytp_str){file->name, file->name_length, false};
    prof_output_chunk(p->out, &chunk);
    file->written = true;
}

void prof_files_write(prof *p, uint32_t first_fid)
{
    for (uint32_t fid = first_fid; fid <= prof_file_count(&p->files); fid++) {
        p->files.at[fid - 1].written = false;
        write_file(p, fid);
    }
}

/* Returns the length of the longest end that two paths share, in whole components. */
static size_t common_tail(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t tail = 0;
    for (size_t n = 1; n <= a_length && n <= b_length && a[a_length - n] == b[b_length - n]; n++)
        if ((n == a_length || a[a_length - n - 1] == '/') && (n == b_length || b[b_length - n - 1] == '/'))
            tail = n;
    return tail;
}

/* Returns the known file that shares most of its path with name, or 0. A module is split where it is built,
 * as blib/lib/Some/Module.pm, and loaded from elsewhere. */
static uint32_t fid_of_split(const prof_files *files, const char *name, STRLEN length)
{
    uint32_t best = 0;
    size_t best_tail = 1;
    for (uint32_t fid = 1; fid <= prof_file_count(files); fid++) {
        const prof_file *file = &files->at[fid - 1];
        size_t tail = common_tail(file->name, file->name_length, name, length);
        if (tail >= best_tail) {
            best = fid;
            best_tail = tail;
        }
    }
    return best;
}

/* If AutoSplit made the file, returns the fid of the file that it was split from. Otherwise returns 0. */
static uint32_t fid_before_split(pTHX_ prof *p, const char *name, STRLEN length, uint32_t via)
{
    static const char mark[] = " (autosplit into ";
    prof_files *files = &p->files;
    const char *found = ninstr(name, name + length, mark, mark + sizeof mark - 1);
    if (found == NULL || prof_is_eval(name, length)) /* an eval in such a file has a name of its own */
        return 0;
    uint32_t fid = fid_of_split(files, name, (STRLEN)(found - name));
    if (fid == 0)
        fid = prof_fid(aTHX_ p, name, (STRLEN)(found - name), via);
    uint32_t number = prof_strings_intern(files->split_names, name, length);
    files->split_fids = prof_grow(files->split_fids, &files->split_cap, number, sizeof *files->split_fids);
    files->split_fids[number] = fid;
    return fid;
}

uint32_t prof_fid(pTHX_ prof *p, const char *name, STRLEN length, uint32_t via)
{
    prof_files *files = &p->files;
    uint32_t fid = prof_fid_if_known(files, name, length);
    if (fid != 0 || (fid = fid_before_split(aTHX_ p, name, length, via)) != 0)
        return fid;
    fid = prof_strings_intern(files->names, name, length) + 1;
    files->at = prof_grow(files->at, &files->cap, fid - 1, sizeof *files->at);
    prof_file file = {0};
    files->at[fid - 1] = (prof_file){0};
    if (prof_is_eval(name, length)) /* its invoker's number is larger than its own, as stock has it */
        find_invoker(aTHX_ p, &file, name, length, via);
    bool fake = length == sizeof unknown_invoker - 1 && begins_with(name, length, unknown_invoker);
    file.flags = fake ? via | NYTP_FID_IS_FAKE : flags_of(aTHX_ p, name, length, via);
    set_written_name(&file, name, length);
    files->at[fid - 1] = file;
    write_file(p, fid);
    return fid;
}

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

/* Writes what perl has kept of the file that it calls `name`. Lines that it has not kept are written as empty
 * ones, but at most GAP_MAX in a row: after a #line directive there may be millions. */
static void write_source(pTHX_ prof *p, uint32_t fid, const nytp_strings *names, uint32_t number)
{
    enum { GAP_MAX = 1000 };
    size_t length;
    const char *name = nytp_strings_get(names, number, &length);
    AV *lines = source_of(aTHX_ name, length);
    SSize_t written = 0;
    for (SSize_t line = 1; lines != NULL && line <= AvFILLp(lines); line++) {
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
    const prof_files *files = &p->files;
    for (uint32_t fid = 1; fid <= last_fid; fid++)
        if (files->at[fid - 1].flags & NYTP_FID_SAVE_SRC)
            write_source(aTHX_ p, fid, files->names, fid - 1);
    for (uint32_t n = 0; p->options.savesrc && n < nytp_strings_count(files->split_names); n++)
        write_source(aTHX_ p, files->split_fids[n], files->split_names, n);
}
