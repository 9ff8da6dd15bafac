/* nytp-files: the statements of a profile and the seconds that they took, for each file. */
#include <inttypes.h>
#include <nytprof-model.h>
#include <stdio.h>

/* Returns whether a profile was read, if only a part of it. */
static bool read_profile(nytp_profile *profile, const char *path)
{
    nytp_reader *reader = nytp_reader_new(nytp_source_file(path));
    if (reader == NULL) {
        fprintf(stderr, "nytp-files: out of memory\n");
        return false;
    }
    int rc = NYTP_OK;
    nytp_reader_set_tags(reader, nytp_profile_tags());
    while (rc == NYTP_OK)
        rc = nytp_profile_read(profile, reader);
    if (rc != NYTP_END)
        fprintf(stderr, "nytp-files: %s\n", nytp_reader_error(reader)->message);
    nytp_reader_free(reader);
    return rc >= 0;
}

static void print_file(const nytp_profile *profile, const nytp_file *file)
{
    nytp_line line;
    uint64_t count = 0;
    int64_t ticks = 0;
    for (uint64_t from = 0; nytp_profile_next_line(profile, file->fid, &from, &line);) {
        count += line.count;
        ticks += line.ticks;
    }
    printf("%" PRIu64 " %.6f %.*s\n", count, (double)ticks / nytp_profile_ticks_per_sec(profile),
           (int)file->name.length, file->name.bytes);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: nytp-files nytprof.out\n");
        return 2;
    }
    nytp_profile *profile = nytp_profile_new();
    bool is_read = read_profile(profile, argv[1]);
    for (size_t i = 0; is_read && i < nytp_profile_file_count(profile); i++)
        print_file(profile, nytp_profile_file(profile, i));
    nytp_profile_free(profile);
    return is_read && fflush(stdout) == 0 ? 0 : 1;
}
