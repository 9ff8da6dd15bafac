/* syscall(): calls the kernel without libc. Some system calls end or change only the calling thread, and
 * others fail in a process with several threads. A program without threads expects neither, so the writing
 * thread must not be in its way. */
#ifndef PROF_SYSCALL_H
#define PROF_SYSCALL_H

/* Replaces SYSCALL. */
void prof_replace_syscall(void);

#endif
