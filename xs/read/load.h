/* A whole profile as perl data, for Devel::NYTProf::Data. */
#pragma once

#include "perl_headers.h"

/* Fills an empty hash. Sets *error and *warning to messages or undef; the caller frees both. */
void read_load_profile(pTHX_ HV *profile, const char *path, SV **error, SV **warning);
