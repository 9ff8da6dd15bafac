/* Temporary files without a name, for what is too large for memory. */
#pragma once

/* Creates a file in $TMPDIR or /tmp, open for reading and writing, that disappears when it is closed. Returns
 * its descriptor, or a negative number with errno set. */
int nytp_unnamed_file(void);

/* The message for when it fails; its argument is strerror(errno). */
#define NYTP_UNNAMED_FILE_FAILED "temporary file: %s (TMPDIR says where it is)"
