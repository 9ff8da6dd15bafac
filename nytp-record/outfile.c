#include "output.h"

#include "base/newfile.h"
#include "cli/output.h"
#include "cli/say.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char kept_ending[] = ".nytprof.out", stdout_name[] = "standard output";

struct record_outfile {
    enum record_format format;
    int fd;
    char *profile; /* NULL: it has no name */
    char *name;
    bool is_stdout;
};

static bool is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

bool record_outfile_is_in_place(const char *path)
{
    return is_stdout(path) || nytp_destination_is_in_place(path);
}

bool record_outfile_is_possible(enum record_format format, const char *path)
{
    const char *why = NULL;
    if (is_stdout(path))
        return true;
    /* A profile replaces a link, as those of the collector do. Other programs follow it. */
    g_autofree char *to = format != RECORD_PROFILE ? nytp_destination_follow(path, &why) : g_strdup(path);
    if (to != NULL && nytp_destination_is_writable(to, &why))
        return true;
    nytp_say("%s: cannot write: %s", path, why);
    return false;
}

/* The next functions open. Each returns false and sets *why if that fails. */

static bool create(record_outfile *o, const char *path, pid_t pid, bool add_pid, const char **why)
{
    o->fd = nytp_newfile_create(path, pid, add_pid, &o->profile);
    *why = strerror(errno);
    return o->fd >= 0;
}

static bool open_profile(record_outfile *o, const char *path, pid_t pid, bool add_pid, const char **why)
{
    bool done;
    if (!record_outfile_is_in_place(path)) {
        done = create(o, path, pid, add_pid, why);
    } else {
        o->fd = nytp_destination_open(is_stdout(path) ? "/dev/stdout" : path, why);
        o->profile = strdup(is_stdout(path) ? stdout_name : path);
        done = o->fd >= 0;
    }
    o->name = g_strdup(o->profile);
    return done;
}

/* The result gets the same .PID as the profile beside it. What is written in place has nothing beside it. */
static bool open_to_convert(record_outfile *o, const char *path, pid_t pid, bool add_pid, const char **why)
{
    g_autofree char *to = is_stdout(path) ? g_strdup(path) : nytp_destination_follow(path, why);
    if (to == NULL)
        return false;
    if (record_outfile_is_in_place(to)) {
        o->fd = nytp_unnamed_file();
        o->name = g_strdup(is_stdout(path) ? stdout_name : path);
        *why = strerror(errno);
        return o->fd >= 0;
    }
    g_autofree char *profile = g_strconcat(to, kept_ending, NULL);
    bool done = create(o, profile, pid, add_pid, why);
    o->name = g_strconcat(to, o->profile != NULL ? o->profile + strlen(profile) : "", NULL);
    return done;
}

static void free_outfile(record_outfile *o)
{
    if (o->fd >= 0)
        close(o->fd);
    free(o->profile);
    g_free(o->name);
    g_free(o);
}

record_outfile *record_outfile_open(enum record_format format, const char *path, pid_t pid, bool add_pid,
                                    char *why, size_t why_size)
{
    record_outfile *o = g_new0(record_outfile, 1);
    const char *reason = NULL;
    *o = (record_outfile){.format = format, .fd = -1, .is_stdout = is_stdout(path)};
    const bool is_open = format == RECORD_PROFILE ? open_profile(o, path, pid, add_pid, &reason)
                                                  : open_to_convert(o, path, pid, add_pid, &reason);
    if (is_open)
        return o;
    snprintf(why, why_size, "%s: cannot write: %s", o->profile != NULL ? o->profile : path, reason);
    free_outfile(o);
    return NULL;
}

int record_outfile_fd(const record_outfile *o)
{
    return o->fd;
}

const char *record_outfile_profile(const record_outfile *o)
{
    return o->profile != NULL ? o->profile : "temporary file";
}

const char *record_outfile_name(const record_outfile *o)
{
    return o->name;
}

/* A directory may disappear with all that is in it. */
static bool was_removed(const record_outfile *o)
{
    struct stat there;
    return o->profile != NULL && fstat(o->fd, &there) == 0 && S_ISREG(there.st_mode) && there.st_nlink == 0;
}

static bool convert(const record_outfile *o)
{
    g_autofree char *again = g_strdup_printf("/proc/self/fd/%d", o->fd);
    int from = open(again, O_RDONLY | O_CLOEXEC);
    if (from < 0) {
        nytp_say("%s: cannot read: %s", record_outfile_profile(o), strerror(errno));
        return false;
    }
    bool done = record_converter_run(o->format, o->is_stdout ? "-" : o->name, from);
    close(from);
    return done;
}

/* Returns whether anything can be read from the profile later. */
static bool is_left(const record_outfile *o)
{
    struct stat there;
    return o->profile != NULL && fstat(o->fd, &there) == 0 && there.st_nlink > 0 && there.st_size > 0;
}

static void say_not_written(const record_outfile *o)
{
    const record_converter *c = &record_converters[o->format];
    if (is_left(o))
        nytp_say("%s: not written; the recording is kept as a profile: %s%s%s -o %s %s", o->name, c->program,
                 c->option != NULL ? " " : "", c->option != NULL ? c->option : "", o->name, o->profile);
    else
        nytp_say("%s: not written, and the recording is lost", o->name);
}

static bool end_conversion(const record_outfile *o, bool complete)
{
    if (complete && convert(o)) {
        if (o->profile != NULL)
            unlink(o->profile);
        return true;
    }
    say_not_written(o);
    return false;
}

/* NFS and quotas may say only when the file is closed that there is no room. */
static bool end_profile(record_outfile *o, bool complete)
{
    bool removed = was_removed(o), closed = close(o->fd) == 0;
    o->fd = -1;
    if (complete && !closed)
        nytp_say("%s: cannot write: %s", o->profile, strerror(errno));
    else if (complete && removed)
        nytp_say("%s: was removed while it was written", o->profile);
    return complete && closed && !removed;
}

int record_outfile_close(record_outfile *o, bool complete)
{
    bool done = (o->format == RECORD_PROFILE ? end_profile(o, complete) : end_conversion(o, complete));
    free_outfile(o);
    return done ? 0 : -1;
}

int record_outfile_close_profile(record_outfile *o, bool complete)
{
    bool done = end_profile(o, complete);
    free_outfile(o);
    return done ? 0 : -1;
}

int record_outfile_convert(enum record_format format, const char *profile, const char *name, bool complete)
{
    record_outfile *o = g_new0(record_outfile, 1);
    *o = (record_outfile){.format = format, .profile = strdup(profile), .name = g_strdup(name)};
    o->fd = open(profile, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (o->fd >= 0)
        return record_outfile_close(o, complete);
    nytp_say("%s: cannot read: %s", profile, strerror(errno));
    free_outfile(o);
    return -1;
}
