/* Temporary files without a name, for what is too large for memory. */
#ifndef NYTP_NAMELESS_H
#define NYTP_NAMELESS_H

/* Open for reading and writing, in $TMPDIR or /tmp; gone when it is closed. Negative: errno tells why. */
int nytp_unnamed_file(void);

/* What to say when it fails, with strerror(errno). */
#define NYTP_UNNAMED_FILE_FAILED "temporary file: %s (TMPDIR says where it is)"

#endif
