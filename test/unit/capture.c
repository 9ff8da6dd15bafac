#include "test/unit/capture.h"

#include "test/unit/support.h"

#include <unistd.h>

capture capture_begin(int fd)
{
    capture c = {fd, dup(fd), tmpfile()};
    assert_true(c.old >= 0 && c.kept != NULL);
    fflush(NULL);
    dup2(fileno(c.kept), fd);
    return c;
}

const char *capture_end(capture *c)
{
    static char text[8192];
    fflush(NULL);
    dup2(c->old, c->fd);
    close(c->old);
    rewind(c->kept);
    text[fread(text, 1, sizeof text - 1, c->kept)] = '\0';
    fclose(c->kept);
    return text;
}
