/* -V: versions, in the manner of dprofpp. */
#ifndef TREE_VERSION_H
#define TREE_VERSION_H

/* Prints the program's version and, if a file is at path, the version of the profiler that wrote it. Returns
 * the exit status. */
int tree_version_print(const char *path);

#endif
