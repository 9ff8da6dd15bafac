/* What subs are: SUB_INFO, where they are defined, from what perl notes in %DB::sub, and the marks of xsubs. */
#pragma once

#include "prof.h"

/* Writes SUB_INFO for a sub that is called for the first time in this output, if its file is known. */
void prof_sub_info_write(pTHX_ prof *p, uint32_t number);

/* Writes it for the called subs whose file was not known at their first call. */
void prof_sub_infos_catch_up(pTHX_ prof *p);

/* Writes it for all other subs that have a file. */
void prof_sub_infos_write_rest(pTHX_ prof *p);

/* Marks an xsub or built-in as such, once in this output: by an arc without a caller. */
void prof_sub_mark_write(prof *p, uint32_t number);

/* After what was written for an exec was cut off: SUB_INFO, and the marks of xsubs, must be written again. */
void prof_sub_infos_forget(prof *p);
