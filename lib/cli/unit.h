/* Units of time that programs print: --unit. */
#pragma once

enum nytp_unit_word { NYTP_UNIT_S, NYTP_UNIT_MS, NYTP_UNIT_US, NYTP_UNIT_NS, NYTP_UNIT_TICKS };

/* The names, indexed by unit. NULL follows the last one. */
extern const char *const nytp_units[];

/* Returns how many of the unit are a second; 0 for ticks, which differ between profiles. */
double nytp_unit_per_s(enum nytp_unit_word unit);
