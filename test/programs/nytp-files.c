/* nytp-files: the statements of a profile and the seconds that they took, by file. */
#include "cli/tool_options.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"

static const char help[] = "usage: nytp-files [OPTION ...] [FILE]\n"
                           "Prints how many statements ran in each file, how long they took, and its name.\n"
                           "\n"
                           "  nytp-files nytprof.out | sort -rn -k2 | head\n"
                           "\n"
                           "FILE is what the profiler wrote (default nytprof.out, - for standard input).\n"
                           "\n"
                           "  -o, --output=FILE    write there, not to standard output\n"
                           "      --strict         a profile that was cut short is an error\n"
                           "      --salvage        use what comes before damage\n"
                           "  -h, --help, --version\n";

static const struct option long_options[] = {NYTP_TOOL_OPTIONS, {NULL, 0, NULL, 0}};

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
    int c, status;
    nytp_start("nytp-files", argv);
    while ((c = getopt_long_only(argc, argv, "ho:v", long_options, NULL)) != -1)
        if ((status = nytp_tool_option(&common, c, help)) >= 0)
            return status;
    if (argc - optind > 1)
        return nytp_tool_usage();
    nytp_profile *profile = nytp_profile_new();
    int rc = convert(profile, optind < argc ? argv[optind] : "nytprof.out", &common);
    nytp_profile_free(profile);
    return rc == 0 ? NYTP_EXIT_DONE : NYTP_EXIT_FAILED;
}
