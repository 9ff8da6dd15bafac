/* Units of time that programs print: --unit. */
#ifndef NYTP_CLI_UNIT_H
#define NYTP_CLI_UNIT_H

enum nytp_unit { NYTP_UNIT_S, NYTP_UNIT_MS, NYTP_UNIT_US, NYTP_UNIT_NS, NYTP_UNIT_TICKS };

/* The names by unit, ended by NULL. */
extern const char *const nytp_units[];

/* How many of them are a second; 0 for ticks, whose number a profile gives. */
double nytp_unit_per_s(enum nytp_unit unit);

#endif
