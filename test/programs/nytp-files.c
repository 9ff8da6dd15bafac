/* nytp-files: the statements of a profile and the seconds that they took, for each file. */
#include "cli/options.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"

static const nytp_program program = {
    .about = "Prints for each file how many statements ran, how many seconds they took, and its name.\n",
    .examples = "  nytp-files nytprof.out | sort -rn -k2 | head\n",
    .operands = NYTP_ONE_PROFILE,
};

static void write_files(const nytp_profile *profile, FILE *out)
{
    double ticks_per_sec = nytp_profile_ticks_per_sec(profile);
    const nytp_file *file;
    nytp_line line;
    for (size_t i = 0; (file = nytp_profile_file(profile, i)) != NULL; i++) {
        uint64_t count = 0;
        int64_t ticks = 0;
        for (uint64_t from = 0; nytp_profile_next_line(profile, file->fid, &from, &line);) {
            count += line.count;
            ticks += line.ticks;
        }
        fprintf(out, "%llu %.6f %.*s\n", (unsigned long long)count, (double)ticks / ticks_per_sec,
                (int)file->name.length, file->name.bytes);
    }
}

static int convert(nytp_profile *profile, const char *path, const nytp_common_options *common)
{
    if (nytp_read_profile(path, common, profile) < 0)
        return -1;
    nytp_output *output = nytp_read_open_output(common->output);
    if (output == NULL)
        return -1;
    write_files(profile, nytp_output_stream(output));
    return nytp_output_commit(output);
}

int main(int argc, char **argv)
{
    nytp_common_options common = {0};
    const nytp_option table[] = {NYTP_COMMON_ROWS(common, "write there, not to standard output"),
                                 NYTP_TABLE_END};
    nytp_operands files;
    nytp_start("nytp-files", argv);
    int status = nytp_options_parse(&program, table, argc, argv, &files);
    if (status >= 0)
        return status;
    nytp_profile *profile = nytp_profile_new();
    int rc = convert(profile, files.names[0], &common);
    nytp_profile_free(profile);
    return rc == 0 ? NYTP_EXIT_DONE : NYTP_EXIT_FAILED;
}
