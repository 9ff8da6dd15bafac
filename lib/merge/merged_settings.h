/* Several profiles as one: their attributes and options, combined into one set. */
#pragma once

#include "nytprof.h"

typedef struct nytp_merged_settings nytp_merged_settings;

/* Called once for a setting that should be the same in all profiles and is not: setting has the value of the
 * current input, first is that of the first. */
typedef void nytp_setting_differs_fn(void *context, const nytp_chunk *setting, nytp_str first);

/* ticks_per_sec is that of the merged profile. differs may be NULL. */
nytp_merged_settings *nytp_merged_settings_new(double ticks_per_sec, nytp_setting_differs_fn *differs,
                                               void *context);
void nytp_merged_settings_free(nytp_merged_settings *settings); /* NULL is fine */

/* Changes the ticks_per_sec of the merged profile. */
void nytp_merged_settings_set_rate(nytp_merged_settings *settings, double ticks_per_sec);

/* Adds an ATTRIBUTE or OPTION. scale: how many ticks of the merged profile are one tick of the input. Returns
 * whether the chunk belongs in the merged profile at this place, unchanged. */
bool nytp_merged_settings_add(nytp_merged_settings *settings, const nytp_chunk *chunk, double scale);

/* Call it when processes of the input begin: they are of the application that its attribute named last.
 * Returns a number for that and sets *name; 0 and an empty name if it is not known. */
uint32_t nytp_merged_settings_begin_processes(nytp_merged_settings *settings, uint64_t count, nytp_str *name);

/* Adds what an input lists at its end: how many processes of an application it has, if it has more than have
 * begun. Its last attribute "application", which summarises the list, is then ignored. */
void nytp_merged_settings_add_listed(nytp_merged_settings *settings, nytp_str name, uint64_t processes);

/* Call it at the end of each input. */
void nytp_merged_settings_end_input(nytp_merged_settings *settings);

/* Call each for the settings that the merged profile begins with, and for those that it ends with. */
typedef void nytp_merged_setting_fn(void *context, const nytp_chunk *chunk);
void nytp_merged_settings_each_first(const nytp_merged_settings *settings, nytp_merged_setting_fn *each,
                                     void *context);
void nytp_merged_settings_each_last(const nytp_merged_settings *settings, nytp_merged_setting_fn *each,
                                    void *context);

/* Calls each for the applications and their numbers of processes, in byte order of their names. */
typedef void nytp_application_fn(void *context, nytp_str application, uint64_t processes);
void nytp_merged_settings_each_application(const nytp_merged_settings *settings, nytp_application_fn *each,
                                           void *context);
