/* Where the tables of layouts are. */
#pragma once

/* The directory that belongs to the program that runs, installed or in a build tree. Never to be freed. */
const char *sampler_offsets_directory(void);
