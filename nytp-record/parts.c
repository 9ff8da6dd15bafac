#include "family.h"

#include "processes.h"

#include "cli/output.h"
#include "cli/say.h"
#include "model/grow.h"

#include <errno.h>
#include <glib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct part {
    char *profile;
    dev_t device;
    ino_t inode;
} part;

struct record_parts {
    GArray *all; /* part */
    char *name;  /* of what the user gets */
};

static void clear_part(gpointer p)
{
    g_free(((part *)p)->profile);
}

record_parts *record_parts_new(void)
{
    record_parts *p = g_new0(record_parts, 1);
    p->all = NYTP_ZEROED_ARRAY(part);
    g_array_set_clear_func(p->all, clear_part);
    return p;
}

void record_parts_free(record_parts *p)
{
    if (p == NULL)
        return;
    g_array_free(p->all, TRUE);
    g_free(p->name);
    g_free(p);
}

static const part *part_at(const record_parts *p, guint n)
{
    return &g_array_index(p->all, part, n);
}

void record_parts_add(record_parts *p, const record_outfile *outfile)
{
    struct stat st = {0};
    part new_part = {.profile = g_strdup(record_outfile_profile(outfile))};
    if (fstat(record_outfile_fd(outfile), &st) == 0) {
        new_part.device = st.st_dev;
        new_part.inode = st.st_ino;
    }
    if (p->all->len == 0)
        p->name = g_strdup(record_outfile_name(outfile));
    g_array_append_val(p->all, new_part);
}

/* The directory may belong to somebody else, who can put another file in its place. */
static bool is_still_there(const part *one)
{
    struct stat st;
    return lstat(one->profile, &st) == 0 && S_ISREG(st.st_mode) && st.st_dev == one->device &&
           st.st_ino == one->inode;
}

static bool are_still_there(const record_parts *p)
{
    NYTP_EACH(part, one, p->all)
        if (!is_still_there(one)) {
            nytp_say("%s: was removed or replaced before it could be merged", one->profile);
            return false;
        }
    return true;
}

/* Returns a descriptor that reads the names, each ended by a NUL, or -1 after saying why. */
static int list_parts(const record_parts *p)
{
    g_autoptr(GString) names = g_string_new(NULL);
    NYTP_EACH(const part, one, p->all)
        g_string_append_len(names, one->profile, (gssize)strlen(one->profile) + 1);
    int fd = memfd_create("profiles", MFD_CLOEXEC);
    if (fd >= 0 && write(fd, names->str, names->len) == (ssize_t)names->len && lseek(fd, 0, SEEK_SET) == 0)
        return fd;
    nytp_say("cannot list the profiles: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

/* The first profile is replaced when the merged one is complete. */
static bool merge(const record_parts *p)
{
    static const char *const arguments[] = {"nytprofmerge", "--from-file=-", "-o", "-", NULL};
    int list = are_still_there(p) ? list_parts(p) : -1;
    if (list < 0)
        return false;
    nytp_output *output = nytp_output_open(part_at(p, 0)->profile);
    bool done = output != NULL && record_child_run(arguments, list, fileno(nytp_output_stream(output)));
    close(list);
    if (output != NULL && !done)
        nytp_output_discard(output);
    return done && nytp_output_commit(output) == 0;
}

static void remove_merged(const record_parts *p)
{
    for (guint n = 1; n < p->all->len; n++)
        if (is_still_there(part_at(p, n)) && unlink(part_at(p, n)->profile) != 0)
            nytp_say("%s: is merged, but cannot be removed: %s", part_at(p, n)->profile, strerror(errno));
}

static void say_kept(const record_parts *p)
{
    nytp_say("%s: not merged; the profiles of the %s are kept, %s to %s: nytprofmerge merges them", p->name,
             nytp_counted(p->all->len, "process").text, part_at(p, 0)->profile,
             part_at(p, p->all->len - 1)->profile);
}

int record_parts_end(record_parts *p, enum record_format format, bool complete)
{
    if (p->all->len > 1) {
        if (!complete || !merge(p)) {
            say_kept(p);
            return -1;
        }
        remove_merged(p);
    }
    if (format == RECORD_PROFILE || p->all->len == 0)
        return complete ? 0 : -1;
    return record_outfile_convert(format, part_at(p, 0)->profile, p->name, complete);
}
