/* Where the tables of layouts are. */
#ifndef RECORD_OFFSETS_DIR_H
#define RECORD_OFFSETS_DIR_H

/* The directory that belongs to the program that runs, installed or in a build tree. Never to be freed. */
const char *record_offsets_directory(void);

#endif
