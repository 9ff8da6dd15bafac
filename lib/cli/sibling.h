/* Our other programs. */
#pragma once

/* Returns the path of one of our programs, beside this one or else along PATH, or NULL if it is not
 * installed. The caller must g_free() it. */
char *nytp_sibling_find(const char *program);
