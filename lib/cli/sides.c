#include "cli/sides.h"

#include "cli/say.h"

#include <string.h>

int nytp_words_after_dashes(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--") == 0)
            return argc - i - 1;
    return -1;
}

int nytp_sides_split(const nytp_operands *all, int after_dashes, nytp_operands sides[NYTP_SIDES])
{
    const int new_count = after_dashes >= 0 ? after_dashes : 1, old_count = all->count - new_count;
    if (after_dashes < 0 && all->count != 2)
        return nytp_wrong_usage("expected two profiles, OLD NEW, or several of each: OLD ... -- NEW ...");
    if (old_count <= 0 || new_count == 0)
        return nytp_wrong_usage("there is no profile %s --", old_count <= 0 ? "before" : "after");
    sides[NYTP_OLD] = (nytp_operands){all->names, old_count};
    sides[NYTP_NEW] = (nytp_operands){all->names + old_count, new_count};
    for (int i = 0; i < new_count; i++)
        if (strcmp(sides[NYTP_NEW].names[i], "--") == 0)
            return nytp_wrong_usage("-- can be given once: OLD ... -- NEW ...");
    return -1;
}
