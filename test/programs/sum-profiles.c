/* Prints what a profile says, or the sum of several, sorted: for a perl test to compare ways to the same sum.
 *
 *   sum-profiles FILE ...
 */
#include "nytprof-model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static nytp_profile *read_profile(const char *path)
{
    nytp_profile *profile = nytp_profile_new();
    nytp_reader *reader = nytp_reader_new(nytp_source_file(path));
    int rc = reader != NULL ? NYTP_OK : NYTP_ERR_MEMORY;
    if (rc == NYTP_OK)
        nytp_reader_set_tags(reader, nytp_profile_tags());
    while (rc == NYTP_OK)
        rc = nytp_profile_read(profile, reader);
    if (rc < 0) {
        fprintf(stderr, "%s\n", reader != NULL ? nytp_reader_error(reader)->message : "out of memory");
        exit(1);
    }
    nytp_reader_free(reader);
    return profile;
}

static void print_text(nytp_str s)
{
    printf(" %.*s", (int)s.length, s.bytes);
}

static void print_settings(const nytp_profile *p)
{
    const nytp_setting *s;
    const nytp_process *process;
    for (size_t i = 0; (s = nytp_profile_setting(p, i)) != NULL; i++) {
        printf("setting %c", (char)s->tag);
        print_text(s->key);
        print_text(s->value);
        printf("\n");
    }
    for (size_t i = 0; (process = nytp_profile_process(p, i)) != NULL; i++)
        printf("process %" PRIu32 " %" PRIu32 " %.7f %.7f %d\n", process->pid, process->parent,
               process->start_s, process->end_s, process->ended);
}

static void print_files(const nytp_profile *p)
{
    nytp_line line;
    for (size_t i = 0; i < nytp_profile_file_count(p); i++) {
        const nytp_file *f = nytp_profile_file(p, i);
        printf("file %" PRIu32 " eval %" PRIu32 ":%" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32, f->fid,
               f->eval_fid, f->eval_line, f->flags, f->size_bytes, f->mtime_s);
        print_text(f->name);
        printf("\n");
        for (uint64_t at = 0; nytp_profile_next_line(p, f->fid, &at, &line);)
            printf("line %" PRIu32 ":%" PRIu32 " %" PRIu64 " %" PRId64 "\n", f->fid, line.line, line.count,
                   line.ticks);
    }
}

static void print_subs(const nytp_profile *p)
{
    nytp_sub sub;
    const nytp_arc *arc;
    for (uint32_t i = 0; nytp_profile_sub(p, i, &sub); i++) {
        printf("sub");
        print_text(sub.name);
        printf(" %d", (int)sub.kind);
        for (size_t r = 0; r < sub.range_count; r++)
            printf(" %" PRIu32 ":%" PRIu32 "-%" PRIu32, sub.ranges[r].fid, sub.ranges[r].first_line,
                   sub.ranges[r].last_line);
        printf("\n");
    }
    for (size_t i = 0; (arc = nytp_profile_arc(p, i)) != NULL; i++) {
        printf("arc %" PRIu32 ":%" PRIu32, arc->fid, arc->line);
        nytp_profile_sub(p, arc->caller, &sub);
        print_text(sub.name);
        nytp_profile_sub(p, arc->callee, &sub);
        print_text(sub.name);
        printf(" %" PRIu64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRIu32 "\n", arc->count, arc->incl_ticks,
               arc->excl_ticks, arc->reci_ticks, arc->max_depth);
    }
}

int main(int argc, char **argv)
{
    nytp_profile *sum = argc == 2 ? read_profile(argv[1]) : nytp_profile_new();
    for (int i = 1; argc > 2 && i < argc; i++) {
        nytp_profile *one = read_profile(argv[i]);
        nytp_error error;
        if (nytp_profile_add_profile(sum, one, &error) != 0) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
        nytp_profile_free(one);
    }
    print_settings(sum);
    print_files(sum);
    print_subs(sum);
    nytp_profile_free(sum);
    return 0;
}
