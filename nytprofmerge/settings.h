/* The attributes and options of all inputs, combined into one set. */
#ifndef MERGE_SETTINGS_H
#define MERGE_SETTINGS_H

#include "nytprof.h"

typedef struct merge_settings merge_settings;

/* ticks_per_sec is that of the merged profile. */
merge_settings *merge_settings_new(double ticks_per_sec);
void merge_settings_free(merge_settings *settings);

/* Adds an ATTRIBUTE or OPTION. input: the name of its profile, for messages; scale: ticks of the merged
 * profile in one of the input. Returns whether to write the chunk at once, as it is. */
bool merge_settings_add(merge_settings *settings, const nytp_chunk *chunk, const char *input, double scale);

/* Adds runs of an application, from an annotation of an input that was merged before. The input's attribute
 * "application", which summarises them, is then ignored. */
void merge_settings_add_runs(merge_settings *settings, nytp_str name, uint64_t runs);

/* To be called at the end of each input. */
void merge_settings_end_input(merge_settings *settings);

/* Call each for the settings that the merged profile begins with, and for those that it ends with. */
typedef void merge_setting_fn(void *context, const nytp_chunk *chunk);
void merge_settings_each_first(const merge_settings *settings, merge_setting_fn *each, void *context);
void merge_settings_each_last(const merge_settings *settings, merge_setting_fn *each, void *context);

/* Calls each for the applications and their numbers of runs, in byte order. */
typedef void merge_runs_fn(void *context, nytp_str application, uint64_t runs);
void merge_settings_each_application(const merge_settings *settings, merge_runs_fn *each, void *context);

#endif
