#include "cli/own_file.h"

#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool nytp_file_mentions(const char *path, const char *text)
{
    enum { BYTES = 4096 };
    char head[BYTES];
    struct stat st;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t size = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? pread(fd, head, sizeof head, 0) : -1;
    close(fd);
    return size > 0 && memmem(head, (size_t)size, text, strlen(text)) != NULL;
}

bool nytp_is_level_name(const char *name, const char *suffix)
{
    static const char *const levels[] = {"-line", "-block", "-sub"};
    for (size_t i = 0; i < G_N_ELEMENTS(levels); i++) {
        g_autofree char *end = g_strconcat(levels[i], suffix, NULL);
        if (!g_str_has_suffix(name, end))
            continue;
        const char *after = name + strlen(name) - strlen(end), *digit = after;
        while (digit > name && g_ascii_isdigit(digit[-1]))
            digit--;
        return digit < after && (digit == name || digit[-1] == '-');
    }
    return false;
}
