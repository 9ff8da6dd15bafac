/* The memory of a perl that waits, page by page: tests of the sampler read it in the place of a process, and
 * change it. */
#pragma once

#include "sampler/sampler.h"

#include <glib.h>

typedef struct perl_image {
    pid_t pid;                 /* pages that are missing are read from this process; 0: it has ended */
    const char *why_forbidden; /* why the other process may not be read, so that there is no image; or NULL */
    GHashTable *pages;         /* by address / 4096 */
    GPtrArray *in_order;       /* the same, in the order in which they were read */
    sampler_interpreter interpreter; /* reads the image */
} perl_image;

/* Starts a perl that executes a script, and attaches to it. The script writes a byte and then sleeps for
 * long. Ends the test if that fails. */
perl_image *perl_image_new(const char *script);

/* Ends the process. What was not read by then cannot be read any more. */
void perl_image_end(perl_image *image);
void perl_image_free(perl_image *image);

/* Returns the byte at an address that was read. */
unsigned char *perl_image_at(const perl_image *image, uint64_t address);

/* The tables of layouts of the build that the test is part of. */
const char *perl_image_offsets(void);
