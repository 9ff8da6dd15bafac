/* Units that programs print: --unit. */
#pragma once

enum nytp_unit_word {
    NYTP_UNIT_S,
    NYTP_UNIT_MS,
    NYTP_UNIT_US,
    NYTP_UNIT_NS,
    NYTP_UNIT_TICKS,
    NYTP_UNIT_B, /* from here on of memory */
    NYTP_UNIT_KIB,
    NYTP_UNIT_MIB,
    NYTP_UNIT_GIB
};

/* The names, indexed by unit: all, and those of time. NULL follows the last one. */
extern const char *const nytp_units[], *const nytp_time_units[];

/* Returns how many of the unit are a second; 0 for ticks, which differ between profiles, and for units of
 * memory. */
double nytp_unit_per_s(enum nytp_unit_word unit);

/* Returns how many bytes the unit is; 0 if it is not one of memory. */
double nytp_unit_bytes(enum nytp_unit_word unit);
