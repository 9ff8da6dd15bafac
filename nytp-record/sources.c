#include "fold.h"

#include "base/str.h"
#include "cli/perl_file.h"
#include "model/grow.h"
#include "model/hashes.h"
#include "sampler/sampler.h"

#include <ctype.h>
#include <glib.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Names of files as a perl has them, which may be relative to the directory in which it was when it loaded
 * them. */

typedef struct record_names record_names;

struct record_names {
    const sampler_root *root;
    char *start,
        *now;   /* directories: of its environment, where it was started; and where it is. NULL: not known */
    char *base; /* the one of them from which it loads relative names; NULL: not known of all together */
};

static bool is_relative(const char *name)
{
    return name[0] != '/' && name[0] != '(' && name[0] != '\0' && strcmp(name, "-") != 0 &&
           strcmp(name, "-e") != 0;
}

static char *below(const char *directory, const char *name)
{
    while (g_str_has_prefix(name, "./"))
        name += 2;
    return g_strdup_printf("%s/%s", strcmp(directory, "/") == 0 ? "" : directory, name);
}

/* Whether a name is there in a directory, which may be NULL. */
static bool is_in(const record_names *n, const char *directory, const char *name, struct stat *st)
{
    if (directory == NULL || n->root == NULL)
        return false;
    g_autofree char *path = below(directory, name);
    return sampler_root_stat(n->root, path, st);
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Returns the directory in which a name is, unless other files of that name are in both. */
static const char *directory_of(const record_names *n, const char *name)
{
    struct stat at_start, here;
    const bool is_at_start = is_in(n, n->start, name, &at_start), is_here = is_in(n, n->now, name, &here);
    if (is_at_start && is_here)
        return is_same_file(&at_start, &here) ? n->now : NULL;
    return is_at_start ? n->start : is_here ? n->now : NULL;
}

/* A program that is still where it was started, or whose script says where that was. Without that, what is
 * found in the present directory may be another file of that name. */
static const char *find_base(const record_names *n, const char *script)
{
    struct stat start, now;
    if (is_in(n, n->start, ".", &start) && is_in(n, n->now, ".", &now) && is_same_file(&start, &now))
        return n->now;
    return is_relative(script) ? directory_of(n, script) : NULL;
}

/* Finds out where the program of a target was started. root may be NULL, and stays the caller's. */
static record_names *record_names_new(const sampler_target *target, const sampler_root *root)
{
    char text[PATH_MAX];
    record_names *n = g_new0(record_names, 1);
    n->root = root;
    sampler_target_environment(target, "PWD", text, sizeof text);
    n->start = text[0] == '/' ? g_strdup(text) : NULL;
    sampler_root_cwd(target->proc, text, sizeof text);
    n->now = text[0] == '/' ? g_strdup(text) : NULL;
    sampler_target_program(target, text, sizeof text);
    n->base = g_strdup(find_base(n, text));
    return n;
}

/* NULL is fine */
static void record_names_free(record_names *n)
{
    if (n == NULL)
        return;
    g_free(n->start);
    g_free(n->now);
    g_free(n->base);
    g_free(n);
}

/* Returns the absolute name of a file, or the name as it is if that is not known. The caller must free it. */
static char *record_names_absolute(const record_names *n, const char *name)
{
    struct stat st;
    if (!is_relative(name))
        return g_strdup(name);
    if (n->base != NULL)
        return below(n->base, name);
    const bool is_known = is_in(n, n->start, name, &st) && !is_in(n, n->now, name, &st);
    return is_known ? below(n->start, name) : g_strdup(name);
}

enum { MOST_BYTES = 1 << 20, MOST_BYTES_IN_ALL = 32 << 20, MOST_CHECKED = 10000 /* subs of one text */ };
#define CLOCK_STEP_S 0.05 /* the system knows when a process began to hundredths of a second */

/* A text that is not written yet. */
typedef struct text {
    uint32_t fid; /* 0: it has none yet */
    bool is_doubted;
    char *bytes;
    size_t length;
    GHashTable *checked; /* subs, as SUB:LINE */
} text;

struct record_sources {
    nytp_writer *writer;
    sampler_root *root; /* NULL: it cannot be read */
    record_names *names;
    bool wanted;
    double started_s; /* when the program began, since 1970 */
    size_t bytes;     /* of all texts */
    text found;       /* of the last file that was found */
    bool is_newer;    /* the same */
    GArray *kept;     /* of text, until they are written */
    record_source_counts counts;
};

static void clear_text(gpointer data)
{
    text *t = data;
    g_clear_pointer(&t->bytes, g_free);
    g_clear_pointer(&t->checked, g_hash_table_destroy);
}

static void look_at_process(record_sources *s, const sampler_target *target)
{
    s->root = sampler_root_new(target->proc);
    s->names = record_names_new(target, s->root);
    s->started_s = sampler_target_start_s(target);
}

record_sources *record_sources_new(nytp_writer *writer, const sampler_target *target, bool wanted)
{
    record_sources *s = g_new0(record_sources, 1);
    s->writer = writer;
    s->wanted = wanted;
    s->kept = NYTP_ARRAY(text);
    g_array_set_clear_func(s->kept, clear_text);
    look_at_process(s, target);
    return s;
}

static void forget(record_sources *s)
{
    record_names_free(s->names);
    sampler_root_free(s->root);
}

void record_sources_free(record_sources *s)
{
    if (s == NULL)
        return;
    forget(s);
    clear_text(&s->found);
    g_array_free(s->kept, TRUE);
    g_free(s);
}

void record_sources_renew(record_sources *s, const sampler_target *target)
{
    forget(s);
    look_at_process(s, target);
}

char *record_sources_name(const record_sources *s, const char *name)
{
    return record_names_absolute(s->names, name);
}

bool record_sources_are_here(const record_sources *s)
{
    return s->root != NULL && sampler_root_is_own(s->root);
}

/* Whether a file that is open is one that perl may have compiled. Its name is without links. */
static bool is_perl(int fd)
{
    char link[32], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0 && nytp_perl_file_refusal(path, fd) == NULL;
}

/* The file may become shorter or longer meanwhile. */
static bool read_text(text *t, int fd, size_t size)
{
    t->length = size;
    t->bytes = nytp_perl_file_bytes(fd, &t->length);
    return t->bytes != NULL && t->length > 0;
}

void record_sources_find(record_sources *s, const char *name, nytp_chunk *new_fid)
{
    struct stat st;
    clear_text(&s->found);
    int fd = s->root != NULL && name[0] == '/' ? sampler_root_open(s->root, name, &st) : -1;
    if (fd < 0)
        return;
    new_fid->new_fid.size = st.st_size <= UINT32_MAX ? (uint32_t)st.st_size : 0;
    new_fid->new_fid.mtime = (uint32_t)CLAMP(st.st_mtime, 0, UINT32_MAX);
    const size_t size = (size_t)st.st_size;
    if (s->wanted && size <= MOST_BYTES && size <= MOST_BYTES_IN_ALL - s->bytes && is_perl(fd) &&
        read_text(&s->found, fd, size)) {
        s->bytes += s->found.length;
        s->is_newer =
            (double)st.st_mtim.tv_sec + (double)st.st_mtim.tv_nsec / 1e9 > s->started_s + CLOCK_STEP_S;
        s->counts.newer += s->is_newer;
    }
    close(fd);
}

static void write_text(record_sources *s, const text *t)
{
    nytp_chunk chunk = {.tag = NYTP_SRC_LINE};
    nytp_str rest = {t->bytes, t->length, false};
    chunk.src_line.fid = t->fid;
    while (rest.length > 0) {
        chunk.src_line.line++;
        chunk.src_line.text = nytp_str_take_line(&rest);
        nytp_writer_chunk(s->writer, &chunk);
    }
}

void record_sources_add(record_sources *s, uint32_t fid)
{
    if (s->found.bytes == NULL)
        return;
    s->found.fid = fid;
    if (s->is_newer) {
        s->found.checked = g_hash_table_new_full(nytp_hash_of_text, g_str_equal, g_free, NULL);
        g_array_append_val(s->kept, s->found);
        s->found = (text){0};
    } else {
        write_text(s, &s->found);
        clear_text(&s->found);
    }
}

/* Returns the beginning of a line, or NULL if there are fewer. */
static const char *line_of(const text *t, uint32_t line)
{
    const char *at = t->bytes;
    for (uint32_t n = 1; n < line && at != NULL; n++) {
        at = strchr(at, '\n');
        at = at != NULL ? at + 1 : NULL;
    }
    return at;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == ':' || c == '\'';
}

/* Returns the name that follows at "sub" in a text, and its length; length 0: that is no named sub. */
static const char *name_after_sub(const char *begin, const char *at, size_t *length)
{
    const char *name = at + strlen("sub");
    *length = 0;
    if ((at > begin && is_word(at[-1])) || !isspace((unsigned char)*name))
        return name;
    name += strspn(name, " \t\n\r");
    while (is_word(name[*length]))
        ++*length;
    return name;
}

/* Returns the name of the last sub that begins before an end; NULL if none does. */
static const char *last_sub_before(const text *t, const char *end, size_t *length)
{
    const char *last = NULL;
    size_t name_length;
    *length = 0;
    for (const char *at = t->bytes; (at = strstr(at, "sub")) != NULL && at < end; at++) {
        const char *name = name_after_sub(t->bytes, at, &name_length);
        if (name_length > 0) {
            last = name;
            *length = name_length;
        }
    }
    return last;
}

static bool begins_there(const text *t, const char *sub, uint32_t line)
{
    const char *begin = line_of(t, line), *end = begin != NULL ? line_of(t, line + 1) : NULL;
    const char *colons = strrchr(sub, ':'), *name = colons != NULL ? colons + 1 : sub;
    const size_t name_length = strlen(name);
    size_t length;
    if (begin == NULL)
        return false;
    const char *found = last_sub_before(t, end != NULL ? end : t->bytes + t->length, &length);
    return found == NULL ||
           (length >= name_length && memcmp(found + length - name_length, name, name_length) == 0);
}

/* Subs without names of their own are left out, and BEGIN blocks, which are subs without "sub". */
void record_sources_see_sub(record_sources *s, uint32_t fid, const char *sub, uint32_t line)
{
    if (s->kept->len == 0 || strstr(sub, "__ANON__") != NULL || strstr(sub, "::BEGIN") != NULL)
        return;
    NYTP_EACH(text, t, s->kept) {
        if (t->fid != fid || t->is_doubted || g_hash_table_size(t->checked) == MOST_CHECKED ||
            !g_hash_table_add(t->checked, g_strdup_printf("%s:%u", sub, (unsigned)line)) ||
            begins_there(t, sub, line))
            continue;
        t->is_doubted = true;
        s->counts.hidden++;
    }
}

void record_sources_conclude(record_sources *s)
{
    NYTP_EACH(text, t, s->kept)
        if (!t->is_doubted)
            write_text(s, t);
    g_array_set_size(s->kept, 0);
}

record_source_counts record_sources_counts(const record_sources *s)
{
    return s->counts;
}
