/* Whose code a file is, and names of subs and files that do not depend on where a program is installed: both
 * by the directories of modules that a profile names in its attributes. */
#pragma once

#include "nytprof-model.h"

#include <glib.h>

/* Returns those of an attribute, such as inc, in their order: char *, each ends in a slash. There are at most
 * 1,000, since a damaged profile may name any number. The caller must g_ptr_array_unref() it. */
GPtrArray *nytp_profile_directories(const nytp_profile *profile, const char *attribute);

/* Names of subs and files that do not depend on where a program is installed, so that two checkouts, or two
 * machines, have the same ones: paths below a directory of @INC lose that directory, and evals their numbers.
 */

typedef struct nytp_portable nytp_portable;

/* Takes the directories from the attributes that the collector writes (inc, privlib, ...). A profile without
 * them keeps its paths. */
nytp_portable *nytp_portable_new(const nytp_profile *profile);
void nytp_portable_free(nytp_portable *portable);

/* Returns the name of a file or sub without the directories of @INC that paths in it begin with, and with 0
 * as the number of evals. The caller must g_string_free() it. */
GString *nytp_portable_name(const nytp_portable *portable, nytp_str name);

enum nytp_origin { NYTP_OWN, NYTP_INSTALLED, NYTP_CORE, NYTP_ORIGINS };

typedef struct nytp_origins nytp_origins;

/* Takes perl's directories from the profile's attributes. */
nytp_origins *nytp_origins_new(const nytp_profile *profile);
void nytp_origins_free(nytp_origins *origins);

/* Whether the profile has perl's directories. Without them only the paths of files say whose they are. */
bool nytp_origins_known(const nytp_origins *origins);

/* A string eval is whose the file around it is. */
enum nytp_origin nytp_origin_of(const nytp_origins *origins, nytp_str path);
