/* System calls that perl code makes, and that the collector must not be in the way of: exec, and syscall(),
 * which calls the kernel without libc. Some calls end or change only the calling thread, and others fail in a
 * process with several threads. A program without threads expects neither of the writing thread. */
#pragma once

/* Replaces EXEC and SYSCALL. */
void prof_replace_system_calls(void);
