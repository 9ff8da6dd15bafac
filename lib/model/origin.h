/* Whose code a file is. */
#pragma once

#include "nytprof-model.h"

enum nytp_origin { NYTP_OWN, NYTP_INSTALLED, NYTP_CORE, NYTP_ORIGINS };

typedef struct nytp_origins nytp_origins;

/* Takes perl's directories from the profile's attributes. */
nytp_origins *nytp_origins_new(const nytp_profile *profile);
void nytp_origins_free(nytp_origins *origins);

/* Whether the profile has perl's directories. Without them only the paths of files say whose they are. */
bool nytp_origins_known(const nytp_origins *origins);

enum nytp_origin nytp_origin_of(const nytp_origins *origins, nytp_str path);
