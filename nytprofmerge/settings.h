/* The attributes and options of all inputs, made into one set. */
#ifndef MERGE_SETTINGS_H
#define MERGE_SETTINGS_H

#include "nytprof.h"

typedef struct merge_settings merge_settings;

/* ticks_per_sec is that of the merged profile. */
merge_settings *merge_settings_new(double ticks_per_sec);
void merge_settings_free(merge_settings *settings);

/* Takes an ATTRIBUTE or OPTION. input is the name of its profile, for messages; scale, ticks of the merged
 * profile in one of the input. True: it is to be written as it is, where it was met. */
bool merge_settings_take(merge_settings *settings, const nytp_chunk *chunk, const char *input, double scale);

/* Takes a remark of an input that was merged before: so many runs of an application. The attribute
 * application of that input then says nothing more. */
void merge_settings_take_runs(merge_settings *settings, nytp_str name, uint64_t runs);

/* The input has no more of them. */
void merge_settings_end_input(merge_settings *settings);

/* Calls take for each setting that a profile begins with; for each that it ends with. */
typedef void merge_setting_fn(void *context, const nytp_chunk *chunk);
void merge_settings_each_first(const merge_settings *settings, merge_setting_fn *take, void *context);
void merge_settings_each_last(const merge_settings *settings, merge_setting_fn *take, void *context);

/* The applications with their numbers of runs, in byte order. */
typedef void merge_runs_fn(void *context, nytp_str application, uint64_t runs);
void merge_settings_each_application(const merge_settings *settings, merge_runs_fn *take, void *context);

#endif
