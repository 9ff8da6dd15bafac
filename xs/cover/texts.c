#include "cover/collect.h"

#include "base/hash.h"
#include "basics/alloc.h"
#include "basics/paths.h"

#include <stdlib.h>
#include <sys/stat.h>

/* What a string eval is known by. Evals of the same text by the same line are one text. */
typedef struct eval_key {
    char is_eval; /* a NUL, with which no name of a file begins */
    prof_cover_text caller;
    uint32_t line;
    uint64_t hash;
    uint64_t length;
} eval_key;

typedef struct text {
    prof_cover_text caller; /* of a string eval: the file, and the line, that has run it; 0: a file */
    uint32_t line;
    uint32_t rounds;
    uint32_t written_to; /* the number of the file that has it */
    uint32_t size, mtime;
} text;

static struct {
    char *directory;    /* of the project, without a slash at its end */
    nytp_strings *keys; /* of texts, by their number - 1: the path of a file, or an eval_key */
    text *of;
    uint32_t cap;
    nytp_strings *names; /* of files, as perl says them */
    prof_cover_text *named;
    uint32_t named_cap;
    char *last_name; /* the name that was asked for last, by which interpreter, and its text */
    PerlInterpreter *last_perl;
    prof_cover_text last;
} texts;

void prof_texts_set_directory(const char *directory)
{
    texts.directory = prof_strdup(directory);
    for (size_t length = strlen(directory); length > 1 && texts.directory[length - 1] == '/'; length--)
        texts.directory[length - 1] = '\0';
    texts.keys = prof_strings_new();
    texts.names = prof_strings_new();
}

/* Returns what follows the directory in the path; NULL if it is elsewhere. */
static const char *below(const char *directory, const char *path)
{
    const size_t length = strcmp(directory, "/") != 0 ? strlen(directory) : 0;
    return strncmp(path, directory, length) == 0 && path[length] == '/' ? path + length + 1 : NULL;
}

typedef struct search {
    const char *path;
    bool is_of_perl;
} search;

/* The list is of one directory, whose bytes only differ if it has a colon or the like. @INC is the program's.
 */
static void look_in(void *context, const char *key, const char *list)
{
    search *s = context;
    s->is_of_perl |= strcmp(key, "inc") != 0 && below(list, s->path) != NULL;
}

/* Tests and what is not the project's own. */
static bool is_left_out(const char *name)
{
    static const char *const folders[] = {"t/", "xt/", "inc/", "local/"};
    for (size_t i = 0; i < C_ARRAY_LENGTH(folders); i++)
        if (strncmp(name, folders[i], strlen(folders[i])) == 0)
            return true;
    return false;
}

static bool is_wanted(pTHX_ const char *path)
{
    search s = {.path = path};
    const char *name = below(texts.directory, path);
    if (name == NULL || is_left_out(name))
        return false;
    prof_directories_each(aTHX_ look_in, &s);
    return !s.is_of_perl;
}

/* Returns the number of a text, and adds it if it is new. */
static prof_cover_text text_of(const void *key, size_t length, prof_cover_text caller, uint32_t line)
{
    const uint32_t before = nytp_strings_count(texts.keys);
    const uint32_t number = prof_strings_intern(texts.keys, key, length);
    if (number == before) {
        texts.of = prof_grow(texts.of, &texts.cap, number, sizeof *texts.of);
        texts.of[number] = (text){.caller = caller, .line = line};
    }
    return number + 1;
}

static prof_cover_text file_text(const char *path)
{
    struct stat there;
    const prof_cover_text number = text_of(path, strlen(path), 0, 0);
    text *t = &texts.of[number - 1];
    if (t->size == 0 && t->mtime == 0 && stat(path, &there) == 0) {
        t->size = (uint32_t)there.st_size;
        t->mtime = (uint32_t)there.st_mtime;
    }
    return number;
}

static bool is_in_string_eval(pTHX)
{
    return PL_in_eval != 0 && (PL_in_eval & EVAL_INREQUIRE) == 0;
}

/* A file that is not there can be named by a #line; then the name alone says where it is. What an eval names
 * is a file only if it is there. */
static prof_cover_text resolve(pTHX_ const char *name)
{
    char *path = realpath(name, NULL);
    if (path == NULL && !is_in_string_eval(aTHX) && *name != '\0' && strcmp(name, "-e") != 0 &&
        strcmp(name, "-") != 0)
        path = prof_absolute(name, strlen(name), NULL);
    const prof_cover_text number = path != NULL && is_wanted(aTHX_ path) ? file_text(path) : 0;
    free(path);
    return number;
}

/* Of a name that does not begin with "(eval". */
static prof_cover_text named(pTHX_ const char *name)
{
    const uint32_t before = nytp_strings_count(texts.names);
    const uint32_t number = prof_strings_intern(texts.names, name, strlen(name));
    if (number == before) {
        texts.named = prof_grow(texts.named, &texts.named_cap, number, sizeof *texts.named);
        texts.named[number] = resolve(aTHX_ name);
    }
    return texts.named[number];
}

static bool is_name_of_eval(const char *name)
{
    return strncmp(name, "(eval ", 6) == 0;
}

/* Returns the context of the string eval that is compiled; NULL if there is none. */
static const PERL_CONTEXT *eval_of(pTHX)
{
    for (I32 i = cxstack_ix; i >= 0; i--)
        if (CxTYPE(&cxstack[i]) == CXt_EVAL && CxOLD_OP_TYPE(&cxstack[i]) == OP_ENTEREVAL)
            return &cxstack[i];
    return NULL;
}

/* Returns the statement of a file that runs the eval. If an eval does, that is the innermost statement of a
 * file among its callers. */
static const COP *caller_of(pTHX_ const PERL_CONTEXT *eval)
{
    const COP *cop = eval->blk_oldcop;
    const PERL_CONTEXT *frame;
    for (I32 level = 0; is_name_of_eval(CopFILE(cop) != NULL ? CopFILE(cop) : "(eval ") &&
                        (frame = caller_cx(level, NULL)) != NULL;
         level++)
        cop = frame->blk_oldcop;
    return cop;
}

static prof_cover_text eval_text(pTHX)
{
    const PERL_CONTEXT *eval = eval_of(aTHX);
    const COP *caller = eval != NULL ? caller_of(aTHX_ eval) : NULL;
    const char *const name = caller != NULL ? CopFILE(caller) : NULL;
    const prof_cover_text of_caller = name != NULL && !is_name_of_eval(name) ? named(aTHX_ name) : 0;
    const SV *const source = PL_parser != NULL ? PL_parser->linestr : NULL;
    if (of_caller == 0 || source == NULL)
        return 0;
    eval_key key;
    memset(&key, 0, sizeof key); /* the padding, too */
    key.caller = of_caller;
    key.line = CopLINE(caller);
    key.length = SvCUR(source);
    key.hash = nytp_hash_bytes(SvPVX_const(source), SvCUR(source));
    return text_of(&key, sizeof key, of_caller, key.line);
}

prof_cover_text prof_text_compiled(pTHX_ const char *file)
{
    if (file == NULL)
        return 0;
    if (texts.last_name != NULL && texts.last_perl == PROF_PERL && strcmp(file, texts.last_name) == 0)
        return texts.last;
    prof_cover_text number = is_name_of_eval(file) ? 0 : named(aTHX_ file);
    if (number == 0 && is_in_string_eval(aTHX) && (is_name_of_eval(file) || access(file, F_OK) != 0))
        number = eval_text(aTHX);
    free(texts.last_name);
    texts.last_name = prof_strdup(file);
    texts.last = number;
    texts.last_perl = PROF_PERL;
    return number;
}

bool prof_text_is_eval(prof_cover_text number)
{
    return texts.of[number - 1].caller != 0;
}

uint32_t prof_text_round(prof_cover_text number)
{
    return texts.of[number - 1].rounds;
}

void prof_text_end_round(prof_cover_text number)
{
    texts.of[number - 1].rounds++;
}

/* The name of an eval says where it is, not how many there were before it, which differs between processes.
 */
static void write_eval(prof_cover_text number)
{
    const text *t = &texts.of[number - 1];
    size_t length;
    char name[PATH_MAX + 64];
    const char *file = nytp_strings_get(texts.keys, t->caller - 1, &length);
    my_snprintf(name, sizeof name, "(eval)[%.*s:%u]", (int)(length < PATH_MAX ? length : PATH_MAX), file,
                t->line);
    prof_coverfile_chunk(&(nytp_chunk){.tag = NYTP_NEW_FID,
                                       .new_fid = {.fid = number,
                                                   .eval_fid = t->caller,
                                                   .eval_line = t->line,
                                                   .flags = NYTP_FID_IS_EVAL,
                                                   .name = {name, strlen(name), false}}});
}

void prof_text_write(prof_cover_text number, uint32_t file_number)
{
    text *t = &texts.of[number - 1];
    if (t->written_to == file_number)
        return;
    t->written_to = file_number;
    if (t->caller != 0) {
        prof_text_write(t->caller, file_number);
        write_eval(number);
        return;
    }
    size_t length;
    const char *path = nytp_strings_get(texts.keys, number - 1, &length);
    prof_coverfile_chunk(&(nytp_chunk){
        .tag = NYTP_NEW_FID,
        .new_fid = {.fid = number, .size = t->size, .mtime = t->mtime, .name = {path, length, false}}});
}
