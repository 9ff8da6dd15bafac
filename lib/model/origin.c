#include "model/origin.h"

#include "model/eval_name.h"
#include "model/grow.h"

#include <ctype.h>
#include <glib.h>
#include <string.h>

/* "5.36", "5.36.0" at at, up to a slash: perl's own directories have its version as their last part. */
static bool is_version(const char *at)
{
    if (at[0] != '5' || at[1] != '.' || !isdigit((unsigned char)at[2]))
        return false;
    while (isdigit((unsigned char)*at) || *at == '.')
        at++;
    return *at == '/';
}

/* /usr/share/perl/5.36/, /usr/lib/x86_64-linux-gnu/perl/5.36/, /opt/perl/lib/5.36.0/, .../lib/perl5/5.36.0/
 */
static bool is_cores(const char *path)
{
    static const char *const before[] = {"/perl/", "/lib/", "/perl5/"};
    if (strstr(path, "/perl-base/") != NULL)
        return true;
    for (size_t i = 0; i < G_N_ELEMENTS(before); i++)
        for (const char *at = path; (at = strstr(at, before[i])) != NULL; at++)
            if (is_version(at + strlen(before[i])))
                return true;
    return false;
}

static enum nytp_origin origin_by_path(const char *path)
{
    static const char *const sites[] = {"/site_perl/",
                                        "/vendor_perl/",
                                        "/usr/share/perl5/",
                                        "/perl5/lib/perl5/",
                                        "/local/lib/perl5/",
                                        "/usr/local/share/perl/",
                                        "/usr/local/lib/x86_64-linux-gnu/perl/"};
    for (size_t i = 0; i < G_N_ELEMENTS(sites); i++)
        if (strstr(path, sites[i]) != NULL)
            return NYTP_INSTALLED;
    if (g_str_has_prefix(path, "/usr/lib/") && strstr(path, "/perl5/") != NULL)
        return NYTP_INSTALLED;
    if (is_cores(path))
        return NYTP_CORE;
    return strstr(path, "/lib/perl5/") != NULL ? NYTP_INSTALLED : NYTP_OWN;
}

typedef struct directory {
    char *path; /* ends in a slash */
    enum nytp_origin origin;
} directory;

struct nytp_origins {
    GArray *directories; /* directory */
    bool core_known;
};

/* Perl's own modules are in directories that it was built with, if these are known. Debian has one more. */
static enum nytp_origin origin_outside(const nytp_origins *o, const char *path)
{
    enum nytp_origin origin = origin_by_path(path);
    return origin == NYTP_CORE && o->core_known && strstr(path, "/perl-base/") == NULL ? NYTP_INSTALLED
                                                                                       : origin;
}

static bool has_directory(const nytp_origins *o, const char *path)
{
    NYTP_EACH(const directory, d, o->directories)
        if (strcmp(d->path, path) == 0)
            return true;
    return false;
}

static void add_list(nytp_origins *o, const nytp_profile *profile, const char *key, enum nytp_origin origin)
{
    g_autoptr(GPtrArray) paths = nytp_profile_directories(profile, key);
    for (guint i = 0; i < paths->len; i++) {
        const directory d = {g_ptr_array_index(paths, i), origin};
        if (!has_directory(o, d.path)) {
            g_array_append_val(o->directories, d);
            paths->pdata[i] = NULL;
        }
    }
}

/* What else is in @INC is the program's own, unless it looks like a place where modules are installed, as
 * that of local::lib does. */
static void add_inc(nytp_origins *o, const nytp_profile *profile)
{
    guint from = o->directories->len;
    add_list(o, profile, "inc", NYTP_OWN);
    for (guint i = from; i < o->directories->len; i++) {
        directory *d = &g_array_index(o->directories, directory, i);
        d->origin = origin_outside(o, d->path);
    }
}

nytp_origins *nytp_origins_new(const nytp_profile *profile)
{
    nytp_origins *o = g_new0(nytp_origins, 1);
    o->directories = NYTP_ARRAY(directory);
    add_list(o, profile, "privlib", NYTP_CORE);
    add_list(o, profile, "archlib", NYTP_CORE);
    o->core_known = o->directories->len > 0;
    add_list(o, profile, "sitelib", NYTP_INSTALLED);
    add_list(o, profile, "sitearch", NYTP_INSTALLED);
    add_list(o, profile, "vendorlib", NYTP_INSTALLED);
    add_list(o, profile, "vendorarch", NYTP_INSTALLED);
    add_inc(o, profile);
    return o;
}

void nytp_origins_free(nytp_origins *origins)
{
    NYTP_EACH(const directory, d, origins->directories)
        g_free(d->path);
    g_array_free(origins->directories, TRUE);
    g_free(origins);
}

bool nytp_origins_known(const nytp_origins *origins)
{
    return origins->directories->len > 0;
}

/* The directory with the longest name decides, because some are in others. */
enum nytp_origin nytp_origin_of(const nytp_origins *origins, nytp_str path)
{
    const nytp_str file = nytp_eval_name_outermost(path);
    g_autofree char *text = g_strndup(file.bytes, file.length);
    const directory *best = NULL;
    NYTP_EACH(const directory, d, origins->directories)
        if (g_str_has_prefix(text, d->path) && (best == NULL || strlen(d->path) > strlen(best->path)))
            best = d;
    enum nytp_origin origin = best != NULL ? best->origin : origin_outside(origins, text);
    return origin;
}
