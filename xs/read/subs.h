/* The subs of a profile and the places that call them: sub_subinfo. */
#pragma once

#include "data.h"

/* Adds a SUB_INFO. */
void read_subs_add_info(pTHX_ read_data *l, const nytp_chunk *chunk);
/* Adds a SUB_CALLERS. */
void read_subs_add_callers(pTHX_ read_data *l, const nytp_chunk *chunk);

/* Assigns the subs that have no place in the stream to the first file. Call it when everything was read. */
void read_subs_place_rest(pTHX_ read_data *l);
