/* Short times that hardly change are written as if they did not: most of what compression cannot take out of
 * a profile is the last digit of its times.
 *
 * A time comes of two readings of the clock in whole ticks, less what the profiler is reckoned to have taken
 * in between (context.h). So its last digit is a matter of chance: a statement that always takes 1.5 ticks is
 * 1 as often as 2. Here a time becomes the one that was last written for the same statement, if they differ
 * by no more than PROF_STEADY_NEAR, and if what was written for it since the beginning is, in sum, no further
 * from what was measured than PROF_STEADY_TICKS, nor than 1/PROF_STEADY_PART of it. All other times stay as
 * they are; so do those of some statements where there are thousands.
 *
 * The same goes for calls that call nothing. But statements are only ever added up by line (and block), calls
 * also by the stack that they were made from, which is not known yet: the calls around have not returned. So
 * calls are the same here if they are of one sub at one depth, and the four short statements or returns
 * before them are the same; by these, stacks nearly always differ. Where they do not, the mean time of a
 * stack's calls is no further from what was measured than PROF_STEADY_NEAR_CALL.
 */
#ifndef PROF_OUTSTEADY_H
#define PROF_OUTSTEADY_H

enum {
    PROF_STEADY_BELOW = 0x80, /* ticks: times of one byte are short */
    PROF_STEADY_NEAR = 2,
    PROF_STEADY_NEAR_CALL = 1,
    PROF_STEADY_TICKS = 32,
    PROF_STEADY_PART = 256
};

/* What it knows of the times so far. */
typedef struct prof_steady prof_steady;
prof_steady *prof_steady_new(void); /* NULL: out of memory */
void prof_steady_free(prof_steady *steady);

/* Goes through encoded chunks from at on and changes times where they lie, until a chunk ends at enough or
 * behind it. Returns that place; or end, where the last chunk may be cut. What ends in the last NYTP_PAD
 * bytes before end stays as it is, and so does what follows a text chunk, which cannot be skipped. Nothing
 * behind end is read. */
unsigned char *prof_steady_run(prof_steady *steady, unsigned char *at, const unsigned char *enough,
                               unsigned char *end);

#endif
