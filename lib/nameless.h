/* Files for what does not go into memory. */
#ifndef NYTP_NAMELESS_H
#define NYTP_NAMELESS_H

/* Open for reading and writing, in $TMPDIR or /tmp; gone when it is closed. Negative: errno tells why. */
int nytp_nameless_file(void);

#endif
