/* The machine that the program runs on. */
#pragma once

#include <stdint.h>

/* Returns how much memory the program may have: the physical memory or, if that is less, the limit of its
 * control group or of one around it. */
uint64_t nytp_machine_bytes(void);
