/* What Devel::NYTProf::Cover calls. */
#include "cover/collect.h"

#include "basics/alloc.h"
#include "basics/paths.h"

/* Cut: it is a line of the recording's head. */
static const char *program_of(pTHX)
{
    enum { LONGEST = 1000 };
    const SV *sv = get_sv("0", 0);
    char *program = prof_strdup(sv != NULL && SvPOK(sv) ? SvPVX_const(sv) : "");
    if (strlen(program) > LONGEST)
        program[LONGEST] = '\0';
    return program;
}

/* A directory that is not there has no files. */
static char *directory_of(const char *directory)
{
    char *resolved = realpath(*directory != '\0' ? directory : ".", NULL);
    return resolved != NULL ? resolved : prof_strdup(directory);
}

/* Begins, once for the process. */
static void cover_begin(pTHX_ const char *path, const char *directory, bool add_pid)
{
    static bool is_begun;
    if (is_begun)
        return;
    is_begun = true;
    const char *const project = directory_of(directory);
    prof_texts_set_directory(project);
    prof_coverfile_set(prof_absolute(path, strlen(path), NULL), project, program_of(aTHX), add_pid);
    const prof_cover_guard guard = prof_cover_lock();
    prof_coverfile_open();
    prof_cover_unlock(&guard);
    prof_cover_watch_compiler(aTHX);
}

MODULE = Devel::NYTProf::Cover  PACKAGE = Devel::NYTProf::Cover

PROTOTYPES: DISABLE

void
begin(const char *path, const char *directory, bool add_pid)
CODE:
    cover_begin(aTHX_ path, directory, add_pid);
