/* How many files may be open: each process that is sampled needs some. */
#ifndef RECORD_DESCRIPTORS_H
#define RECORD_DESCRIPTORS_H

/* Allows as many as the system does. */
void record_descriptors_raise(void);

/* In a child, before it executes a command that is not ours: allows as many as before. */
void record_descriptors_restore(void);

#endif
