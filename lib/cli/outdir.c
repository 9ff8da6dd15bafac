#include "cli/output.h"

#include "cli/say.h"
#include "base/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct nytp_outdir {
    char *path;
    bool exists;      /* path was there before */
    char *parent;     /* the directory that it is in; NULL if it exists */
    char *made;       /* nytp_newdir_make(), of parent */
    char *temporary;  /* the directory with the files 0, 1, ... */
    GPtrArray *names; /* char *: the names that they will have */
    FILE *stream;     /* of the last one; NULL: it is closed */
};

static void say_failed(const char *doing, const char *path)
{
    nytp_say("%s: cannot %s: %s", path, doing, strerror(errno));
}

static char *without_slashes(const char *path)
{
    char *made = g_strdup(path);
    for (size_t length = strlen(made); length > 1 && made[length - 1] == '/'; length--)
        made[length - 1] = '\0';
    return made;
}

static bool create_parent(nytp_outdir *d)
{
    d->parent = g_path_get_dirname(d->path);
    bool done = nytp_newdir_make(d->parent, &d->made) == 0;
    if (!done)
        say_failed("create the directory", d->parent);
    return done;
}

nytp_outdir *nytp_outdir_open(const char *path)
{
    nytp_outdir *d = g_new0(nytp_outdir, 1);
    g_autofree char *named = without_slashes(path);
    const char *why;
    d->names = g_ptr_array_new_with_free_func(g_free);
    d->path = nytp_destination_follow(named, &why);
    if (d->path == NULL) {
        nytp_say("%s: cannot write: %s", path, why);
        nytp_outdir_discard(d);
        return NULL;
    }
    d->exists = g_file_test(path, G_FILE_TEST_EXISTS);
    if (d->exists && !g_file_test(path, G_FILE_TEST_IS_DIR)) {
        nytp_say("%s: is not a directory", path);
        nytp_outdir_discard(d);
        return NULL;
    }
    if (d->exists || create_parent(d)) {
        g_autofree char *beside = d->exists ? g_strconcat(d->path, "/.", NULL) : g_strdup(d->path);
        d->temporary = nytp_tempdir_create(beside);
        if (d->temporary == NULL)
            say_failed(d->exists ? "create a file in it" : "create the directory", path);
    }
    if (d->temporary != NULL)
        return d;
    nytp_outdir_discard(d);
    return NULL;
}

static char *number_path(const nytp_outdir *d, guint number)
{
    return g_strdup_printf("%s/%u", d->temporary, number);
}

int nytp_outdir_complete(nytp_outdir *d)
{
    if (d->stream == NULL)
        return 0;
    bool lost = ferror(d->stream) != 0;
    lost |= fclose(d->stream) != 0;
    d->stream = NULL;
    if (lost)
        nytp_say("%s/%s: cannot write: %s", d->path, (const char *)d->names->pdata[d->names->len - 1],
                 strerror(errno));
    return lost ? -1 : 0;
}

FILE *nytp_outdir_file(nytp_outdir *dir, const char *name)
{
    if (nytp_outdir_complete(dir) != 0)
        return NULL;
    dir->stream = nytp_tempdir_file(dir->names->len);
    if (dir->stream == NULL)
        nytp_say("%s/%s: cannot create: %s", dir->path, name, strerror(errno));
    g_ptr_array_add(dir->names, g_strdup(name));
    return dir->stream;
}

static void free_dir(nytp_outdir *d)
{
    nytp_tempdir_release();
    free(d->temporary);
    free(d->path);
    g_free(d->parent);
    g_free(d->made);
    g_ptr_array_free(d->names, TRUE);
    g_free(d);
}

void nytp_outdir_discard(nytp_outdir *d)
{
    if (d->stream != NULL)
        fclose(d->stream);
    if (d->temporary != NULL)
        nytp_tempdir_remove();
    nytp_newdir_undo(d->parent, d->made);
    free_dir(d);
}

static bool rename_files(const nytp_outdir *d, const char *to)
{
    bool done = true;
    for (guint i = 0; i < d->names->len && done; i++) {
        g_autofree char *from = number_path(d, i), *path = g_build_filename(to, d->names->pdata[i], NULL);
        done = rename(from, path) == 0;
        if (!done)
            say_failed("write", path);
    }
    return done;
}

static bool move(const nytp_outdir *d)
{
    if (d->exists)
        return rename_files(d, d->path);
    bool done = rename_files(d, d->temporary);
    if (done && (chmod(d->temporary, nytp_new_mode(0777)) != 0 || rename(d->temporary, d->path) != 0)) {
        say_failed("create the directory", d->path);
        done = false;
    }
    for (guint i = 0; i < d->names->len && !done; i++) {
        g_autofree char *path = g_build_filename(d->temporary, d->names->pdata[i], NULL);
        unlink(path);
    }
    return done;
}

/* Blocks signals, so that none ends the program between two renames. */
int nytp_outdir_commit(nytp_outdir *dir)
{
    bool done = nytp_outdir_complete(dir) == 0;
    const sigset_t before = nytp_signals_block();
    done = done && move(dir);
    nytp_tempdir_remove();
    if (!done)
        nytp_newdir_undo(dir->parent, dir->made);
    free_dir(dir);
    nytp_signals_restore(&before);
    return done ? 0 : -1;
}

static void go_up(char **path)
{
    char *above = g_path_get_dirname(*path);
    g_free(*path);
    *path = above;
}

int nytp_newdir_make(const char *path, char **made)
{
    g_autofree char *at = g_strdup(path);
    *made = NULL;
    for (; !g_file_test(at, G_FILE_TEST_EXISTS); go_up(&at)) {
        g_free(*made);
        *made = g_strdup(at);
    }
    if (g_mkdir_with_parents(path, 0777) == 0)
        return 0;
    const int error_number = errno;
    nytp_newdir_undo(path, *made);
    g_clear_pointer(made, g_free);
    errno = error_number;
    return -1;
}

void nytp_newdir_undo(const char *path, const char *made)
{
    if (made == NULL)
        return;
    g_autofree char *at = g_strdup(path);
    for (; strlen(at) >= strlen(made); go_up(&at))
        rmdir(at); /* some of them may not have been created */
}

bool nytp_file_mentions(const char *path, const char *text)
{
    enum { BYTES = 4096 };
    char head[BYTES];
    struct stat st;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t size = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? pread(fd, head, sizeof head, 0) : -1;
    close(fd);
    return size > 0 && memmem(head, (size_t)size, text, strlen(text)) != NULL;
}

bool nytp_is_level_name(const char *name, const char *suffix)
{
    g_autofree char *pattern = g_strconcat("(?:^|-)[0-9]+-(?:line|block|sub)\\Q", suffix, "\\E\\z", NULL);
    return g_regex_match_simple(pattern, name, G_REGEX_RAW, 0);
}

static gint name_order(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

GPtrArray *nytp_directory_list(const char *path, const char *prefix)
{
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;)
        if (*name != '.' && g_str_has_prefix(name, prefix))
            g_ptr_array_add(paths, g_build_filename(path, name, NULL));
    g_ptr_array_sort(paths, name_order);
    return paths;
}
