/* Where a report goes: a directory of its own, a file, or standard output. */
#pragma once

/* Returns the path to write to for the value of -o: "-" for that, X.html for X.html and for an existing file,
 * else DIR/index.html, where DIR is created if need be (cli/newdir.h). NULL after saying why. g_free() both.
 */
char *html_place_of(const char *output, char **made);

/* Shows the file in $BROWSER or in the system's browser; over ssh, without $BROWSER, prints how to fetch it.
 */
void html_place_open(const char *path);
