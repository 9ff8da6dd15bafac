/* Manual pages. */
#pragma once

/* Executes man(1) with the page of one of our programs, or without man the program with --help. Returns the
 * exit status if neither can be executed. */
int verb_show_manual(const char *program);
