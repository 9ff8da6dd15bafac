#include "html_origin.h"

#include <ctype.h>
#include <glib.h>
#include <stdbool.h>
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

enum html_origin html_origin_of(const char *path)
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
            return HTML_INSTALLED;
    if (g_str_has_prefix(path, "/usr/lib/") && strstr(path, "/perl5/") != NULL)
        return HTML_INSTALLED;
    if (is_cores(path))
        return HTML_CORE;
    return HTML_OWN;
}
