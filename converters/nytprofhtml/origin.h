/* Whose code a file is. */
#ifndef HTML_ORIGIN_H
#define HTML_ORIGIN_H

#include "nytprof-model.h"

enum html_origin { HTML_OWN, HTML_INSTALLED, HTML_CORE, HTML_ORIGINS };

typedef struct html_origins html_origins;

/* Takes perl's directories from the profile's attributes. */
html_origins *html_origins_new(const nytp_profile *profile);
void html_origins_free(html_origins *origins);

/* Whether the profile has perl's directories. Without them only the paths of files say whose they are. */
bool html_origins_known(const html_origins *origins);

enum html_origin html_origin_of(const html_origins *origins, nytp_str path);

#endif
