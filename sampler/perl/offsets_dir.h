/* Where the tables of layouts are. */
#ifndef SAMPLER_PERL_OFFSETS_DIR_H
#define SAMPLER_PERL_OFFSETS_DIR_H

/* The directory that belongs to the program that runs, installed or in a build tree. Never to be freed. */
const char *sampler_offsets_directory(void);

#endif
