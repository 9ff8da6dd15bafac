/* slowops=3: require and do FILE, recorded as built-ins. */
#ifndef PROF_REQUIRE_H
#define PROF_REQUIRE_H

/* Replaces REQUIRE and DOFILE. */
void prof_replace_require(void);

#endif
