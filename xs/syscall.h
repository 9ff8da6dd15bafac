/* syscall(): asks the kernel without libc. The kernel takes each thread for a process of its own, or refuses
 * what needs a process of one thread. A program without threads does not expect either. */
#ifndef PROF_SYSCALL_H
#define PROF_SYSCALL_H

/* Replaces SYSCALL. */
void prof_replace_syscall(void);

#endif
